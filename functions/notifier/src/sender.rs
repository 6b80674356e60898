//! Sends one signed message to a receiver that anybody can choose, without reaching what only this machine
//! can reach.
//!
//! - Only permitted addresses get a connection. A name is resolved here, and the connection goes to one of
//!   the addresses that were checked: the client's resolver is the one that checks. If any address of a name
//!   is not permitted, none is used, so that a name cannot mix them.
//! - A redirect is a failure and is not followed. No proxy of the environment is used.
//! - An exchange takes at most ten seconds, and the body of a response is not read.
//! - The message is signed as the Standard Webhooks specification says (<https://www.standardwebhooks.com>).

mod failure;
mod resolver;
mod signature;

use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use domain::limits::SEND_TIMEOUT;
use domain::time::Timestamp;
use domain::webhook::{Targets, WebhookSecret, WebhookUrl};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use reqwest::{Client, Url, redirect};

pub use self::failure::Failure;
use self::resolver::CheckedResolver;
pub use self::resolver::{Resolve, SystemResolver};
pub use self::signature::sign;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const AGENT: &str = concat!("visibility-tracking-webhooks/", env!("CARGO_PKG_VERSION"));

/// A message to send.
pub struct Message<'a> {
    pub url: &'a WebhookUrl,
    /// The id of the event, which is the same at each attempt.
    pub id: &'a str,
    /// The real time of the attempt.
    pub sent_at: Timestamp,
    /// The JSON text.
    pub body: &'a str,
    /// The secrets that sign the message, the current one first.
    pub secrets: &'a [&'a WebhookSecret],
}

/// The HTTP client of webhooks.
pub struct Sender {
    targets: Targets,
    resolver: Arc<dyn Resolve>,
    timeout: Duration,
    /// Created on first use, because reading the system's certificates takes milliseconds.
    client: OnceLock<Client>,
}

impl Sender {
    /// Creates a sender that connects to these targets.
    pub fn new(targets: Targets, resolver: Arc<dyn Resolve>) -> Self {
        Self {
            targets,
            resolver,
            timeout: SEND_TIMEOUT,
            client: OnceLock::new(),
        }
    }

    /// Limits the time of an exchange.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Sends a message once. Returns the status with which the receiver accepted it, from 200 to 299.
    ///
    /// # Errors
    ///
    /// Returns why the receiver did not accept the message. It may have, if its response was lost.
    pub async fn send(&self, message: &Message<'_>) -> Result<u16, Failure> {
        let url = self.check_url(message.url)?;
        let sent = self
            .client()?
            .post(url)
            .headers(headers(message)?)
            .timeout(self.timeout)
            .body(message.body.to_owned())
            .send()
            .await;
        let status = sent.map_err(|error| Failure::of(&error))?.status();
        match status.as_u16() {
            accepted @ 200..=299 => Ok(accepted),
            redirect @ 300..=399 => Err(Failure::Redirect(redirect)),
            other => Err(Failure::Status(other)),
        }
    }

    /// Checks a URL again, because the rules can have become stricter since it was stored, and the client
    /// does not ask its resolver about a host that is an address.
    fn check_url(&self, url: &WebhookUrl) -> Result<Url, Failure> {
        let url = WebhookUrl::parse(url.as_str(), self.targets).map_err(|_| Failure::NotPermitted)?;
        Url::parse(url.as_str()).map_err(|_| Failure::NotPermitted)
    }

    fn client(&self) -> Result<&Client, Failure> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        static RING: Once = Once::new();
        RING.call_once(|| {
            // An error means that the process has already installed a provider, which is fine.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let resolver = CheckedResolver {
            targets: self.targets,
            inner: self.resolver.clone(),
        };
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_max_idle_per_host(0)
            .dns_resolver(Arc::new(resolver))
            .build();
        let client = client.map_err(|error| {
            tracing::error!(%error, "the HTTP client cannot be created; check that the system has CA certificates");
            Failure::Connection
        })?;
        Ok(self.client.get_or_init(|| client))
    }
}

fn headers(message: &Message<'_>) -> Result<HeaderMap, Failure> {
    let seconds = message.sent_at.as_millis().div_euclid(1_000).to_string();
    let signature = sign(message.id, &seconds, message.body, message.secrets);
    let value = |text: &str| HeaderValue::from_str(text).map_err(|_| Failure::Connection);
    Ok(HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (USER_AGENT, HeaderValue::from_static(AGENT)),
        (HeaderName::from_static("webhook-id"), value(message.id)?),
        (HeaderName::from_static("webhook-timestamp"), value(&seconds)?),
        (HeaderName::from_static("webhook-signature"), value(&signature)?),
    ]))
}
