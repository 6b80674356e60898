//! The command line.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::{
    CheckVerb, Endpoints, FactsVerb, KeyVerb, MemberVerb, ModelVerb, NameRequestVerb, WorkspaceVerb,
};

/// Administers a Visibility Tracking Service. Every command prints one JSON object.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "admin",
    override_usage = "admin [--endpoint-url <URL>] [--events-endpoint <URL>] [--table <TABLE>] [--bus <BUS>] <COMMAND>"
)]
pub struct Arguments {
    #[command(flatten)]
    pub endpoints: Endpoints,
    #[command(subcommand)]
    pub noun: Noun,
}

#[derive(Debug, Clone, Subcommand)]
pub enum Noun {
    /// Manage workspaces: plans, limits, credits and rates
    Workspace {
        #[command(subcommand)]
        verb: WorkspaceVerb,
    },
    /// Manage the API keys of a workspace
    Key {
        #[command(subcommand)]
        verb: KeyVerb,
    },
    /// Manage the members of a workspace
    Member {
        #[command(subcommand)]
        verb: MemberVerb,
    },
    /// Review name requests of entities
    NameRequest {
        #[command(subcommand)]
        verb: NameRequestVerb,
    },
    /// Request checks
    Check {
        #[command(subcommand)]
        verb: CheckVerb,
    },
    /// Show and rebuild fact segments, and read answers again
    Facts {
        #[command(subcommand)]
        verb: FactsVerb,
    },
    /// List the models
    Model {
        #[command(subcommand)]
        verb: ModelVerb,
    },
}

impl Arguments {
    /// Parses a command line without the program's name.
    pub fn from_words<W: Into<OsString>>(words: impl IntoIterator<Item = W>) -> Result<Self, clap::Error> {
        let program = OsString::from("admin");
        Self::try_parse_from(std::iter::once(program).chain(words.into_iter().map(Into::into)))
    }
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;
    use clap::{Args, CommandFactory};

    use super::*;

    fn noun(line: &str) -> Noun {
        Arguments::from_words(line.split(' ')).unwrap().noun
    }

    fn refused(line: &str) -> ErrorKind {
        Arguments::from_words(line.split(' ')).unwrap_err().kind()
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_synopsis_names_every_option_of_the_endpoints() {
        let synopsis = Arguments::command().render_usage().to_string();
        let endpoints = Endpoints::augment_args(clap::Command::new("endpoints"));
        let options: Vec<String> = endpoints
            .get_arguments()
            .filter_map(|argument| Some(format!("[--{} <", argument.get_long()?)))
            .collect();
        assert_eq!(options.len(), 4);
        for option in options {
            assert!(synopsis.contains(&option), "{option} in {synopsis}");
        }
    }

    #[test]
    fn endpoints_are_accepted_before_and_after_the_command() {
        for line in [
            "--endpoint-url http://a --events-endpoint http://b --table t model list",
            "model list --endpoint-url http://a --events-endpoint http://b --table t",
        ] {
            let at = Arguments::from_words(line.split(' ')).unwrap().endpoints;
            assert_eq!(at.endpoint_url.as_deref(), Some("http://a"));
            assert_eq!(at.events_endpoint.as_deref(), Some("http://b"));
            assert_eq!(at.table.as_deref(), Some("t"));
        }
    }

    #[test]
    fn an_invalid_url_is_a_usage_error() {
        for url in [
            "nonsense",
            "127.0.0.1:8000",
            "ftp://a",
            "http://",
            "/v1",
            "http://a b",
            "",
        ] {
            let words = ["--endpoint-url", url, "model", "list"];
            let refused = Arguments::from_words(words).unwrap_err();
            assert!(
                matches!(
                    refused.kind(),
                    ErrorKind::ValueValidation | ErrorKind::InvalidValue
                ),
                "{url}: {refused}"
            );
        }
    }

    #[test]
    fn a_workspace_is_created_with_every_given_limit() {
        let Noun::Workspace { verb } = noun(
            "workspace create --name N --plan P --entities 1 --prompts 2 --members 3 --credits 4 \
             --reads-per-minute 5 --writes-per-minute 6 --creates-per-hour 7",
        ) else {
            panic!("not a workspace command")
        };
        let WorkspaceVerb::Create { name, limits } = verb else {
            panic!("not create")
        };
        assert_eq!((name.as_str(), limits.plan.as_deref()), ("N", Some("P")));
        assert_eq!((limits.entities, limits.prompts), (Some(1), Some(2)));
        assert_eq!((limits.members, limits.credits), (Some(3), Some(4)));
        assert_eq!(limits.reads_per_minute, Some(5));
        assert_eq!(limits.writes_per_minute, Some(6));
        assert_eq!(limits.creates_per_hour, Some(7));
    }

    #[test]
    fn a_subscription_ends_at_a_timestamp_or_at_the_start_of_a_day() {
        for end in [
            "2027-01-31T00:00:00Z",
            "2027-01-31T02:00:00.000+02:00",
            "2027-01-31",
        ] {
            let line = format!("workspace set-limits --workspace W --status past_due --expires-at {end}");
            let Noun::Workspace {
                verb: WorkspaceVerb::SetLimits {
                    status, expires_at, ..
                },
            } = noun(&line)
            else {
                panic!("not set-limits")
            };
            assert_eq!(status.map(|status| status.into_str()), Some("past_due"));
            assert_eq!(expires_at.unwrap().iso(), "2027-01-31T00:00:00.000Z");
        }
    }

    #[test]
    fn numbers_out_of_range_are_usage_errors() {
        for option in [
            "--entities -1",
            "--entities 4294967296",
            "--prompts 1.5",
            "--members x",
            "--credits=-1",
            "--credits 1000000000001",
            "--add-credits=-1",
            "--reads-per-minute 0",
            "--writes-per-minute 0",
            "--creates-per-hour 0",
            "--expires-at soon",
            "--expires-at 1969-12-31T23:59:59Z",
            "--status paused",
        ] {
            let line = format!("workspace set-limits --workspace W {option}");
            assert!(Arguments::from_words(line.split(' ')).is_err(), "{option}");
        }
        assert_eq!(
            refused("key create --workspace W --reads-per-minute 0"),
            ErrorKind::ValueValidation
        );
    }

    #[test]
    fn a_missing_required_option_is_a_usage_error() {
        for line in [
            "workspace create",
            "workspace show",
            "workspace set-limits --name N",
            "key create --name N",
            "key revoke --workspace W",
            "name-request list",
            "name-request approve --workspace W",
            "name-request reject --entity E",
            "check run --workspace W",
            "check run --entity E",
            "facts reread --entity E",
        ] {
            assert_eq!(refused(line), ErrorKind::MissingRequiredArgument, "{line}");
        }
    }
}
