//! The operator's command line. It prints one JSON object on stdout, or one with an `error` on stderr.
#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use admin::Arguments;
use clap::Parser;
use runtime::{Settings, SystemClock};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let written = match answer(arguments).await {
        Ok(answer) => write(&mut io::stdout().lock(), &answer).map(|()| ExitCode::SUCCESS),
        Err(error) => write(&mut io::stderr().lock(), &json!({ "error": error.to_string() }))
            .map(|()| ExitCode::FAILURE),
    };
    written.unwrap_or(ExitCode::FAILURE)
}

async fn answer(arguments: Arguments) -> Result<Value, Box<dyn Error>> {
    let settings = Settings::from_environment()?;
    Ok(admin::run(arguments, &settings, Arc::new(SystemClock)).await?)
}

fn write(to: &mut impl Write, line: &Value) -> io::Result<()> {
    writeln!(to, "{line}")?;
    to.flush()
}
