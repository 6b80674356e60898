//! A relay to the table, in plain text or over TLS, that records when the first bytes and the first request arrive.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Where systems keep their root certificates; the second is Amazon Linux's place.
const ROOTS: [&str; 2] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
];

/// A certificate for `localhost`, and the file of roots in which a function finds it among the system's own.
#[derive(Clone)]
pub(crate) struct Tls {
    acceptor: TlsAcceptor,
    pub(crate) roots: PathBuf,
}

impl Tls {
    pub(crate) fn new(folder: &Path) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .expect("a server's certificate");
        let mut roots: String = ROOTS
            .iter()
            .find_map(|file| std::fs::read_to_string(file).ok())
            .unwrap_or_default();
        roots.push_str(&made.cert.pem());
        let file = folder.join("roots.pem");
        std::fs::write(&file, roots).expect("a file of roots");
        Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            roots: file,
        }
    }
}

/// When something came by for the first time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrivals {
    /// Over TLS: the ClientHello.
    pub(crate) bytes: Option<Instant>,
    pub(crate) request: Option<Instant>,
}

#[derive(Clone)]
pub(crate) struct Relay {
    pub(crate) url: String,
    arrivals: Arc<Mutex<Arrivals>>,
}

impl Relay {
    /// Listens for as long as the process lives.
    pub(crate) async fn start(table: SocketAddr, tls: Option<&Tls>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let relay = Self {
            url: format!("{scheme}://localhost:{port}"),
            arrivals: Arc::default(),
        };
        let (accepting, tls) = (relay.clone(), tls.cloned());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A connection that breaks is the function's to notice.
                tokio::spawn(accepting.clone().pass(stream, table, tls.clone()));
            }
        });
        relay
    }

    pub(crate) fn arrivals(&self) -> Arrivals {
        *self.arrivals.lock().expect("no section panics")
    }

    fn note(&self, first: impl Fn(&mut Arrivals) -> &mut Option<Instant>) {
        first(&mut self.arrivals.lock().expect("no section panics")).get_or_insert_with(Instant::now);
    }

    async fn pass(self, stream: TcpStream, table: SocketAddr, tls: Option<Tls>) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        stream.peek(&mut [0]).await?;
        self.note(|arrivals| &mut arrivals.bytes);
        match tls {
            None => self.forward(stream, table).await,
            Some(tls) => self.forward(tls.acceptor.accept(stream).await?, table).await,
        }
    }

    async fn forward(
        self,
        mut client: impl AsyncRead + AsyncWrite + Unpin,
        table: SocketAddr,
    ) -> std::io::Result<()> {
        let mut first = vec![0; 64 * 1024];
        let length = client.read(&mut first).await?;
        self.note(|arrivals| &mut arrivals.request);
        let mut server = TcpStream::connect(table).await?;
        server.set_nodelay(true)?;
        server.write_all(&first[..length]).await?;
        copy_bidirectional(&mut client, &mut server).await.map(drop)
    }
}
