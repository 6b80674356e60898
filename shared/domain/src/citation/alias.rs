//! Sites that show equal pages under several addresses.

/// Hosts that are another one.
const HOSTS: [(&str, &str); 5] = [
    ("twitter.com", "x.com"),
    ("mobile.twitter.com", "x.com"),
    ("mobile.x.com", "x.com"),
    ("m.youtube.com", "youtube.com"),
    ("youtu.be", "youtube.com"),
];

/// Returns the host, path and query by which a page is counted.
pub(super) fn resolve(host: String, path: String, query: String) -> (String, String, String) {
    let alias = HOSTS.iter().find(|(alias, _)| host == *alias);
    let is_short = host == "youtu.be";
    let host = alias.map_or(host, |(_, site)| (*site).to_owned());
    match host.as_str() {
        "youtube.com" => youtube(host, path, &query, is_short),
        "x.com" => (host, post(&path).unwrap_or(path), query),
        _ => (host, path, query),
    }
}

/// Short links have the video in the path. `si` and `feature` tell who shared it.
fn youtube(host: String, path: String, query: &str, is_short: bool) -> (String, String, String) {
    let is_added = |pair: &str| {
        matches!(
            pair.split_once('=').map_or(pair, |(name, _)| name),
            "si" | "feature"
        )
    };
    let pairs = query.split('&');
    let mut kept: Vec<&str> = pairs.filter(|pair| !pair.is_empty() && !is_added(pair)).collect();
    let video = path.trim_matches('/');
    if !is_short || video.is_empty() || video.contains('/') {
        return (host, path, kept.join("&"));
    }
    let video = format!("v={video}");
    kept.insert(0, &video);
    (host, "/watch".to_owned(), kept.join("&"))
}

/// Returns the path of a post, which is the same under the name of every user.
fn post(path: &str) -> Option<String> {
    let mut segments = path.trim_matches('/').split('/');
    let (Some(_), Some("status"), Some(id), None) =
        (segments.next(), segments.next(), segments.next(), segments.next())
    else {
        return None;
    };
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then(|| format!("/i/status/{id}"))
}
