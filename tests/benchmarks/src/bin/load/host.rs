//! Runs the local host as a process and reads its resource usage from `/proc`.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The number of clock ticks per second in `/proc`.
const TICKS_PER_SECOND: u32 = 100;

/// A running local host. The process is killed when this is dropped.
pub(crate) struct Host {
    child: Child,
    pub(crate) dynamodb_endpoint: String,
    pub(crate) table: String,
}

impl Host {
    /// Starts an empty host in memory that asks OpenAI at `base_url`, and waits until it is ready.
    pub(crate) async fn start(binary: &Path, base_url: &str) -> Self {
        let mut command = Command::new(binary);
        command.args(["--empty", "--port", "0", "--tick", "1"]);
        for name in ["OPENAI", "ANTHROPIC", "GEMINI", "PERPLEXITY", "XAI", "MISTRAL"] {
            command
                .env_remove(format!("{name}_API_KEY"))
                .env_remove(format!("{name}_BASE_URL"));
        }
        let mut child = command
            .env("OPENAI_BASE_URL", base_url)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the local host starts: cargo build --release -p local");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let line = lines.next_line().await.expect("its output");
        let ready: Value = serde_json::from_str(&line.expect("a line when it is ready")).expect("JSON");
        let text = |name: &str| ready[name].as_str().expect("a text").to_owned();
        Self {
            child,
            dynamodb_endpoint: text("dynamodbEndpoint"),
            table: text("table"),
        }
    }

    /// Returns the peak memory so far, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = self.file("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        let kilobytes: u64 = kilobytes.and_then(|n| n.trim().parse().ok()).expect("a number");
        kilobytes * 1_024
    }

    /// Returns the CPU time of all threads so far.
    pub(crate) fn cpu_time(&self) -> Duration {
        let stat = self.file("stat");
        // The command's name, which is in brackets, can contain any characters.
        let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let ticks = |index: usize| fields[index].parse::<u32>().expect("a number");
        // Fields 14 and 15 of the line are the times in user mode and in the kernel.
        Duration::from_secs(1) * (ticks(11) + ticks(12)) / TICKS_PER_SECOND
    }

    fn file(&self, name: &str) -> String {
        let id = self.child.id().expect("it runs");
        std::fs::read_to_string(format!("/proc/{id}/{name}")).expect("Linux's /proc")
    }
}
