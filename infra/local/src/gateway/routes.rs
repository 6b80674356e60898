//! The routes of the gateway, with API Gateway's precedence: an exact path, then the longest path with a
//! greedy segment, then `$default`.

use std::cmp::Reverse;

use super::handler::ApiHandler;

/// A route and the function behind it.
pub(super) struct Route {
    /// `ANY <path>` or `$default`.
    pub(super) key: String,
    /// The path, up to its greedy segment.
    prefix: String,
    /// The name of the greedy segment.
    pub(super) parameter: Option<String>,
    pub(super) handler: ApiHandler,
}

pub(super) struct Routes {
    /// In the order of precedence.
    routes: Vec<Route>,
    fallback: Route,
}

impl Routes {
    pub(super) fn new(routes: Vec<(String, ApiHandler)>, fallback: ApiHandler) -> Self {
        let route = |(path, handler): (String, ApiHandler)| {
            let greedy = path.strip_suffix("+}").and_then(|path| path.rsplit_once('{'));
            let (prefix, parameter) =
                greedy.map_or((path.as_str(), None), |(prefix, name)| (prefix, Some(name)));
            Route {
                key: format!("ANY {path}"),
                prefix: prefix.to_owned(),
                parameter: parameter.map(str::to_owned),
                handler,
            }
        };
        let mut routes: Vec<Route> = routes.into_iter().map(route).collect();
        routes.sort_by_key(|route| (route.parameter.is_some(), Reverse(route.prefix.len())));
        Self {
            routes,
            fallback: Route {
                key: "$default".to_owned(),
                prefix: String::new(),
                parameter: None,
                handler: fallback,
            },
        }
    }

    /// Returns the route of a path, and what its greedy segment stands for. That may be nothing:
    /// `/docs/{file+}` also serves `/docs/`.
    pub(super) fn find<'a>(&self, path: &'a str) -> (&Route, &'a str) {
        let matching = |route: &'_ Route| {
            let rest = path.strip_prefix(route.prefix.as_str())?;
            (rest.is_empty() || route.parameter.is_some()).then_some(rest)
        };
        let mut routes = self.routes.iter();
        routes
            .find_map(|route| Some((route, matching(route)?)))
            .unwrap_or((&self.fallback, ""))
    }
}
