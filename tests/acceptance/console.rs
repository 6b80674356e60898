//! The web console and the documents of the API, as the function of the console serves them.

mod demo_key;
mod documents;
mod files;

use acceptance::{RawResponse, World, send_raw};
use reqwest::{Client, Method, RequestBuilder, Response};

/// Returns the address of the service without the version prefix.
fn root(world: &World) -> &str {
    world.host.ready.console_url.trim_end_matches('/')
}

fn request(world: &World, method: Method, path: &str) -> RequestBuilder {
    let client = Client::builder().no_proxy().build().unwrap();
    client.request(method, format!("{}{path}", root(world)))
}

async fn get(world: &World, path: &str) -> Response {
    request(world, Method::GET, path).send().await.unwrap()
}

/// Sends a GET whose path no client has normalised.
async fn get_raw(world: &World, path: &str) -> RawResponse {
    let host = root(world).strip_prefix("http://").unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    send_raw(host, request.as_bytes()).await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers().get(name);
    value.map_or("", |value| value.to_str().unwrap())
}

/// Returns the values of the attributes of an HTML page.
fn attributes(html: &str) -> impl Iterator<Item = &str> {
    html.split('"').skip(1).step_by(2)
}

/// Asserts that a page has its scripts and styles in files, as its policy demands.
fn assert_no_inline_code(html: &str) {
    for tag in html.split('<').filter_map(|rest| rest.split('>').next()) {
        let is_inline = (tag.starts_with("script") && !tag.contains(" src="))
            || tag.starts_with("style")
            || tag.contains(" style=")
            || tag.contains(" on");
        assert!(!is_inline, "{tag}");
    }
}
