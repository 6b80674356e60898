//! Runs the built functions under Lambda's runtime interface emulator, behind the local host's gateway and queue.

mod built_functions;
mod lambda_emulator;
mod process;

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt;
use local::{ExternalFunctions, FunctionHandlers};

pub use built_functions::Release;
pub use lambda_emulator::LambdaEmulator;
pub use process::{CHECKER, command};

impl Release {
    /// Makes a host use the built functions. They end when the host ends.
    pub fn external_functions(self) -> ExternalFunctions {
        Arc::new(move |environment| {
            let release = self.clone();
            async move { release.start(&environment).await }.boxed()
        })
    }

    async fn start(&self, environment: &[(String, String)]) -> FunctionHandlers {
        let mut functions = BTreeMap::new();
        for function in endpoints::functions() {
            let emulator = LambdaEmulator::start(self, function.name, environment).await;
            functions.insert(function.name, emulator);
        }
        let checker = LambdaEmulator::start(self, CHECKER, environment).await;
        let routes = endpoints::functions().into_iter().flat_map(|function| {
            let handler = functions[function.name].clone().behind_gateway();
            function
                .paths()
                .into_iter()
                .map(move |path| (path, handler.clone()))
        });
        FunctionHandlers {
            routes: routes.collect(),
            fallback: functions[endpoints::fallback().name].clone().behind_gateway(),
            checker: checker.behind_queue(),
        }
    }
}
