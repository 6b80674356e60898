//! The routes of the gateway, with API Gateway's precedence: an exact path, then the longest path with a
//! greedy segment, then `$default`.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::handler::ApiHandler;

/// A route and the function behind it.
pub(super) struct Route {
    /// `ANY <path>` or `$default`.
    pub(super) key: String,
    /// The name of the greedy segment.
    pub(super) parameter: Option<String>,
    pub(super) handler: ApiHandler,
}

pub(super) struct Routes {
    exact: HashMap<String, Route>,
    /// The path before the greedy segment, and the route. The longest comes first.
    greedy: Vec<(String, Route)>,
    fallback: Route,
}

impl Routes {
    pub(super) fn new(routes: Vec<(String, ApiHandler)>, fallback: ApiHandler) -> Self {
        let (mut exact, mut greedy) = (HashMap::new(), Vec::new());
        for (path, handler) in routes {
            let key = format!("ANY {path}");
            match greedy_segment(&path) {
                Some((prefix, name)) => {
                    let parameter = Some(name.to_owned());
                    greedy.push((
                        prefix.to_owned(),
                        Route {
                            key,
                            parameter,
                            handler,
                        },
                    ));
                }
                None => {
                    let parameter = None;
                    exact.insert(
                        path,
                        Route {
                            key,
                            parameter,
                            handler,
                        },
                    );
                }
            }
        }
        greedy.sort_by_key(|(prefix, _)| Reverse(prefix.len()));
        Self {
            exact,
            greedy,
            fallback: Route {
                key: "$default".to_owned(),
                parameter: None,
                handler: fallback,
            },
        }
    }

    /// Returns the route of a path, and what its greedy segment stands for. That may be nothing:
    /// `/docs/{file+}` also serves `/docs/`.
    pub(super) fn find<'a>(&self, path: &'a str) -> (&Route, Option<&'a str>) {
        if let Some(route) = self.exact.get(path) {
            return (route, None);
        }
        let mut greedy = self.greedy.iter();
        greedy
            .find_map(|(prefix, route)| Some((route, Some(path.strip_prefix(prefix.as_str())?))))
            .unwrap_or((&self.fallback, None))
    }
}

/// Splits `/docs/{file+}` into `/docs/` and `file`.
fn greedy_segment(path: &str) -> Option<(&str, &str)> {
    path.strip_suffix("+}")?.rsplit_once('{')
}
