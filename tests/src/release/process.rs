//! Starts a function's process with the environment that Lambda provides.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

/// The name of the function without endpoints.
pub const CHECKER: &str = "checker";
/// The name of the notifier's binary.
pub const NOTIFIER: &str = "notifier";

/// Returns a command that runs `program` with exactly the environment of a Lambda function with these
/// `variables`. The process is killed when its handle is dropped, and its output is discarded.
pub fn command(program: &Path, function: &str, variables: &[(String, String)]) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .envs([
            ("AWS_LAMBDA_FUNCTION_NAME", function),
            ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1024"),
            ("AWS_LAMBDA_FUNCTION_TIMEOUT", "900"),
            ("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/local"),
            ("AWS_LAMBDA_LOG_STREAM_NAME", "local"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "local"),
            ("AWS_SECRET_ACCESS_KEY", "local"),
            ("AWS_SESSION_TOKEN", "local"),
            ("LOG_LEVEL", "info"),
        ])
        .envs(variables.iter().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    command
}
