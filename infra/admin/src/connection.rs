//! The table and the bus of a command. Each client is created only if the command needs it.

use std::sync::Arc;

use aws_config::SdkConfig;
use aws_credential_types::provider::ProvideCredentials;
use aws_credential_types::provider::error::CredentialsError;
use clap::Args;
use domain::clock::Clock;
use domain::id::WorkspaceId;
use domain::workspace::Workspace;
use events::Bus;
use http::Uri;
use runtime::Settings;
use store::{Store, Tenant, connect};

use crate::AdminError;

/// The options that name the table and the bus.
#[derive(Debug, Clone, Default, Args)]
pub struct Endpoints {
    /// URL of DynamoDB, used without credentials (default: from the AWS environment)
    #[arg(long, global = true, value_name = "URL", value_parser = endpoint)]
    pub endpoint_url: Option<String>,
    /// URL of EventBridge, used without credentials (default: from the AWS environment)
    #[arg(long, global = true, value_name = "URL", value_parser = endpoint)]
    pub events_endpoint: Option<String>,
    /// Name of the table (default: TABLE_NAME, or `visibility`)
    #[arg(long, global = true)]
    pub table: Option<String>,
    /// Name of the event bus (default: EVENT_BUS_NAME)
    #[arg(long, global = true)]
    pub bus: Option<String>,
}

fn endpoint(text: &str) -> Result<String, &'static str> {
    let rule = "it is no URL such as http://127.0.0.1:8000";
    let url: Uri = text.parse().map_err(|_| rule)?;
    let is_http = matches!(url.scheme_str(), Some("http" | "https"));
    (is_http && url.host().is_some_and(|host| !host.is_empty()))
        .then(|| text.to_owned())
        .ok_or(rule)
}

/// The table and the bus that a command works with.
pub(crate) struct Connection<'a> {
    endpoints: Endpoints,
    pub(crate) settings: &'a Settings,
    pub(crate) clock: Arc<dyn Clock>,
}

impl<'a> Connection<'a> {
    pub(crate) fn new(endpoints: Endpoints, settings: &'a Settings, clock: Arc<dyn Clock>) -> Self {
        Self {
            endpoints,
            settings,
            clock,
        }
    }

    pub(crate) async fn store(&self) -> Result<Store, AdminError> {
        let aws = match &self.endpoints.endpoint_url {
            Some(url) => connect::to_endpoint(url),
            None => operator_configuration().await?,
        };
        let table = self.endpoints.table.as_ref().unwrap_or(&self.settings.table);
        Ok(Store::new(&aws, table, self.clock.clone()))
    }

    /// Returns the client of the bus. The endpoints of table and bus must be given together, because they
    /// belong to one service.
    pub(crate) async fn bus(&self) -> Result<Bus, AdminError> {
        let name = self.endpoints.bus.as_ref().unwrap_or(&self.settings.bus);
        let aws = match (&self.endpoints.endpoint_url, &self.endpoints.events_endpoint) {
            (Some(_), Some(url)) => connect::to_endpoint(url),
            // The default bus of an account accepts every event, but no rule of this service matches there.
            (None, None) if name == Settings::DEFAULT_BUS => {
                return Err(AdminError::Refused(
                    "check run needs the stack's bus: --bus, or EVENT_BUS_NAME",
                ));
            }
            (None, None) => operator_configuration().await?,
            _ => {
                return Err(AdminError::Refused(
                    "check run takes --endpoint-url and --events-endpoint together, or neither",
                ));
            }
        };
        Ok(Bus::new(&aws, name))
    }
}

const NO_REGION: &str =
    "no AWS region is set: give AWS_REGION or a profile with a region, or --endpoint-url for a local host";
const NO_CREDENTIALS: &str = "no AWS credentials are found: give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE or a \
                              role, or --endpoint-url for a local host";
const NO_SETTINGS: &str = "neither an AWS region nor AWS credentials are found: give AWS_REGION with AWS_ACCESS_KEY_ID and \
                           AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or --endpoint-url for a local host";

/// Loads the configuration of the operator's AWS environment: variables, profiles and roles. Fails if it has
/// no region or no credentials.
async fn operator_configuration() -> Result<SdkConfig, AdminError> {
    let aws = aws_config::defaults(connect::behavior()).http_client(connect::http_client());
    let aws = aws.load().await;
    let has_credentials = match aws.credentials_provider() {
        Some(provider) => match provider.provide_credentials().await {
            Err(CredentialsError::CredentialsNotLoaded(_)) => false,
            // The service's client reports other errors, and tries again first.
            Ok(_) | Err(_) => true,
        },
        None => false,
    };
    match (aws.region().is_some(), has_credentials) {
        (true, true) => Ok(connect::with_service_client(aws)),
        (true, false) => Err(AdminError::Refused(NO_CREDENTIALS)),
        (false, true) => Err(AdminError::Refused(NO_REGION)),
        (false, false) => Err(AdminError::Refused(NO_SETTINGS)),
    }
}

/// Reads the workspace that `--workspace` names. It must exist.
pub(crate) async fn find_workspace(store: &Store, id: &str) -> Result<(Tenant, Workspace), AdminError> {
    let tenant = tenant(id)?;
    let workspace = store.workspace(&tenant).await?;
    let workspace = workspace.ok_or_else(AdminError::unknown_workspace)?;
    Ok((tenant, workspace))
}

/// Returns the tenant of a well-formed workspace id. The workspace need not exist.
#[expect(clippy::disallowed_methods, reason = "the operator names the workspace")]
pub(crate) fn tenant(id: &str) -> Result<Tenant, AdminError> {
    let id: WorkspaceId = id.parse().map_err(|_| AdminError::unknown_workspace())?;
    Ok(Tenant::operator(id))
}
