//! Runs the built functions under Lambda's runtime interface emulator, behind the local host's gateway and
//! queue.

mod built_functions;
mod lambda_emulator;
mod process;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt;
use local::{ExternalFunctions, FunctionHandlers};

pub use built_functions::Release;
pub use lambda_emulator::LambdaEmulator;
pub use process::{CHECKER, NOTIFIER, command};

impl Release {
    /// Makes a host use the built functions. They end when the host ends.
    pub fn external_functions(self) -> ExternalFunctions {
        Arc::new(move |environment| {
            let release = self.clone();
            async move {
                let checker = LambdaEmulator::start(&release, CHECKER, &environment).await;
                FunctionHandlers {
                    checker: Some(checker.behind_queue()),
                    ..release.start_api(&environment).await
                }
            }
            .boxed()
        })
    }

    /// Makes a host use the built functions of the API, and its own checker, which can run the checks of past
    /// days. They end when the host ends.
    pub fn external_api(self) -> ExternalFunctions {
        Arc::new(move |environment| {
            let release = self.clone();
            async move { release.start_api(&environment).await }.boxed()
        })
    }

    async fn start_api(&self, environment: &[(String, String)]) -> FunctionHandlers {
        let mut functions = BTreeMap::new();
        for function in openapi::endpoints::functions() {
            let emulator = LambdaEmulator::start(self, function.name, environment).await;
            functions.insert(function.name, emulator);
        }
        let routes = openapi::endpoints::functions().into_iter().flat_map(|function| {
            let handler = functions[function.name].clone().behind_gateway();
            function
                .paths()
                .into_iter()
                .map(move |path| (path, handler.clone()))
        });
        FunctionHandlers {
            routes: routes.collect(),
            fallback: functions[openapi::endpoints::fallback().name]
                .clone()
                .behind_gateway(),
            checker: None,
            notifier: None,
        }
    }
}
