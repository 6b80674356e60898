//! Programs that find brands in answers: this service's, two plain rules, and any other program.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::thread;

use serde::{Deserialize, Serialize};

use crate::case::{Brand, Case};

/// What finds the brands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// `shared/mentions`.
    Ours,
    /// The name, an alias or the domain is somewhere in the answer, in any case.
    Substring,
    /// The same, if neither a letter nor a digit stands beside it.
    WordBoundary,
    /// A program that reads [`Question`]s as JSON lines and writes [`Reply`]s as JSON lines, in any order.
    Program(String),
}

/// A case without its label.
#[derive(Debug, Serialize)]
pub struct Question<'a> {
    pub id: &'a str,
    /// The ISO 639-1 code.
    pub language: &'a str,
    pub answer: &'a str,
    /// The brand in question, and the others that are known.
    pub brands: Vec<&'a Brand>,
}

/// What a program finds in a case.
#[derive(Debug, Deserialize)]
struct Reply {
    id: String,
    /// The indexes of the mentioned brands, in the order of their first mentions.
    mentioned: Vec<usize>,
}

impl Case {
    /// Returns the case without its label.
    pub fn question(&self) -> Question<'_> {
        Question {
            id: &self.id,
            language: &self.language,
            answer: &self.answer,
            brands: std::iter::once(&self.brand).chain(&self.others).collect(),
        }
    }
}

impl Rule {
    /// Returns for each case the position at which the brand in question is read, or `None` if no mention of
    /// it is read.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be run, writes a line that is no [`Reply`], or does not answer a case.
    pub fn read_all(&self, cases: &[Case]) -> io::Result<Vec<Option<usize>>> {
        match self {
            Self::Ours => Ok(cases.iter().map(Case::read).collect()),
            Self::Substring => Ok(cases.iter().map(|case| position(case, |_| true)).collect()),
            Self::WordBoundary => Ok(cases.iter().map(|case| position(case, is_complete)).collect()),
            Self::Program(command) => ask(command, cases),
        }
    }
}

/// An occurrence of a name: the text before it and the text after it.
type Beside<'a> = (&'a str, &'a str);

fn is_complete((before, after): Beside<'_>) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !is_word(before.chars().next_back()) && !is_word(after.chars().next())
}

/// Returns the position of the brand in question among the brands of which an occurrence counts.
fn position(case: &Case, counts: impl Fn(Beside<'_>) -> bool) -> Option<usize> {
    let answer = case.answer.to_lowercase();
    let first = |brand: &Brand| {
        let names = std::iter::once(&brand.name)
            .chain(&brand.aliases)
            .chain(&brand.domain);
        let firsts = names.filter(|name| !name.is_empty()).filter_map(|name| {
            let name = name.to_lowercase();
            let mut found = answer.match_indices(&name).map(|(at, _)| at);
            found.find(|&at| counts((&answer[..at], &answer[at + name.len()..])))
        });
        firsts.min()
    };
    let own = first(&case.brand)?;
    let others = case.others.iter().filter_map(first);
    Some(1 + others.filter(|&at| at < own).count())
}

/// Runs `command` in a shell and asks it all cases.
fn ask(command: &str, cases: &[Case]) -> io::Result<Vec<Option<usize>>> {
    let mut program = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(input), Some(output)) = (program.stdin.take(), program.stdout.take()) else {
        return Err(io::Error::other("the program has no input or output"));
    };
    let mut positions: BTreeMap<String, Option<usize>> = BTreeMap::new();
    thread::scope(|scope| {
        // A program may answer before it has read everything, so questions are written beside.
        let writer = scope.spawn(move || {
            let mut input = BufWriter::new(input);
            for case in cases {
                serde_json::to_writer(&mut input, &case.question())?;
                input.write_all(b"\n")?;
            }
            input.flush()
        });
        for line in BufReader::new(output).lines() {
            let reply: Reply = serde_json::from_str(&line?)?;
            let position = reply.mentioned.iter().position(|&brand| brand == 0);
            positions.insert(reply.id, position.map(|index| index + 1));
        }
        writer
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("writing the questions failed")))
    })?;
    let status = program.wait()?;
    if !status.success() {
        return Err(io::Error::other(format!("the program ended with {status}")));
    }
    let answers = cases.iter().map(|case| {
        positions
            .get(&case.id)
            .copied()
            .ok_or_else(|| io::Error::other(format!("the program did not answer {}", case.id)))
    });
    answers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, others: &[&str], answer: &str) -> Case {
        let brand = |name: &str| Brand {
            name: name.to_owned(),
            aliases: Vec::new(),
            domain: None,
        };
        Case {
            id: format!("{name} in {answer}"),
            category: "test".to_owned(),
            brand: brand(name),
            others: others.iter().map(|name| brand(name)).collect(),
            language: "en".to_owned(),
            answer: answer.to_owned(),
            mentioned: true,
            position: Some(1),
            why: String::new(),
        }
    }

    #[test]
    fn a_plain_rule_finds_the_name_anywhere_or_as_a_word() {
        for (name, others, answer, substring, word) in [
            ("Slack", &[][..], "Use Slack.", Some(1), Some(1)),
            ("Slack", &[], "a slacker", Some(1), None),
            ("Slack", &["Zoom"], "Zoom and Slack", Some(2), Some(2)),
            ("Slack", &["Zoom"], "Zooming, then Slack", Some(2), Some(1)),
            ("Slack", &["Zoom"], "Zoom", None, None),
            ("Éa", &[], "éa é", Some(1), Some(1)),
        ] {
            let cases = [case(name, others, answer)];
            assert_eq!(Rule::Substring.read_all(&cases).unwrap(), [substring], "{answer}");
            assert_eq!(Rule::WordBoundary.read_all(&cases).unwrap(), [word], "{answer}");
        }
    }

    #[test]
    fn a_program_reads_the_questions_and_its_replies_count_in_any_order() {
        let cases = [
            case("Slack", &["Zoom"], "Zoom"),
            case("Slack", &["Zoom"], "Slack"),
        ];
        // It finds both brands, the other one first, and answers the last question first.
        let command = r#"sed 's/^{"id":"\([^"]*\)".*/{"id":"\1","mentioned":[1,0]}/' | sort -r"#;
        let positions = Rule::Program(command.to_owned()).read_all(&cases).unwrap();
        assert_eq!(positions, [Some(2), Some(2)]);
    }

    #[test]
    fn a_program_that_fails_or_leaves_a_case_out_is_an_error() {
        let cases = [case("Slack", &[], "Slack")];
        for command in [
            "cat > /dev/null",
            "cat > /dev/null; exit 3",
            "cat > /dev/null; echo x",
        ] {
            assert!(
                Rule::Program(command.to_owned()).read_all(&cases).is_err(),
                "{command}"
            );
        }
    }
}
