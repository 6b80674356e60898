//! A relay to the table, in plain text or over TLS, that records when the first bytes and the first request
//! arrive.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The files of root certificates, on Debian and on Amazon Linux.
const ROOTS: [&str; 2] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
];

/// A TLS server for `localhost`, and a file with its certificate and the system's root certificates.
#[derive(Clone)]
pub(crate) struct Tls {
    acceptor: TlsAcceptor,
    pub(crate) roots: PathBuf,
}

impl Tls {
    pub(crate) fn new(folder: &Path) -> Self {
        let certificate =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let key = PrivateKeyDer::try_from(certificate.signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.cert.der().clone()], key)
            .expect("a server's certificate");
        let mut roots: String = ROOTS
            .iter()
            .find_map(|file| std::fs::read_to_string(file).ok())
            .unwrap_or_default();
        roots.push_str(&certificate.cert.pem());
        let file = folder.join("roots.pem");
        std::fs::write(&file, roots).expect("a file of roots");
        Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            roots: file,
        }
    }
}

/// The first arrivals on any connection.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrivals {
    /// The first bytes, which are the ClientHello over TLS.
    pub(crate) bytes: Option<Instant>,
    /// The first request.
    pub(crate) request: Option<Instant>,
}

/// A relay. Clones share its arrivals.
#[derive(Clone)]
pub(crate) struct Relay {
    pub(crate) url: String,
    arrivals: Arc<Mutex<Arrivals>>,
}

impl Relay {
    /// Starts a relay to `table`. It runs until the process ends.
    pub(crate) async fn start(table: SocketAddr, tls: Option<&Tls>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let relay = Self {
            url: format!("{scheme}://localhost:{port}"),
            arrivals: Arc::default(),
        };
        let (acceptor, tls) = (relay.clone(), tls.cloned());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // If a connection breaks, the function reports it.
                tokio::spawn(acceptor.clone().relay(stream, table, tls.clone()));
            }
        });
        relay
    }

    pub(crate) fn arrivals(&self) -> Arrivals {
        *self.arrivals.lock().expect("no section panics")
    }

    fn record_first(&self, arrival: impl Fn(&mut Arrivals) -> &mut Option<Instant>) {
        arrival(&mut self.arrivals.lock().expect("no section panics")).get_or_insert_with(Instant::now);
    }

    async fn relay(self, stream: TcpStream, table: SocketAddr, tls: Option<Tls>) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        stream.peek(&mut [0]).await?;
        self.record_first(|arrivals| &mut arrivals.bytes);
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
        self.record_first(|arrivals| &mut arrivals.request);
        let mut server = TcpStream::connect(table).await?;
        server.set_nodelay(true)?;
        server.write_all(&first[..length]).await?;
        copy_bidirectional(&mut client, &mut server).await.map(drop)
    }
}
