//! The index of the API for language models, in the format of <https://llmstxt.org>.

use std::error::Error;
use std::fmt::Write;

use serde_json::Value;

/// Returns the index that an OpenAPI document describes.
pub(crate) fn index(document: &Value) -> Result<String, Box<dyn Error>> {
    let info = &document["info"];
    let base = text(&document["servers"][0]["url"])?;
    let mut index = String::new();
    writeln!(index, "# {}\n", text(&info["title"])?)?;
    writeln!(index, "> {}\n", text(&info["summary"])?)?;
    // The first paragraph says what the service does. The rules that follow are in the document.
    let description = text(&info["description"])?;
    writeln!(
        index,
        "{}\n",
        description.split("\n\n").next().unwrap_or(description)
    )?;
    let bearer = text(&document["components"]["securitySchemes"]["bearer"]["description"])?;
    writeln!(index, "Authentication: {bearer}\n")?;
    index.push_str(
        "## Documents\n\n\
         - [OpenAPI document](/openapi.json): every operation with its parameters, responses and examples, and the messages to webhooks\n\
         - [Reference](/docs): the same document as a page\n\
         - [Tools](/mcp): the tools of the Model Context Protocol, by POST, with the same key\n\
         - [Console](/): the figures as a web page\n",
    );
    for tag in list(&document["tags"])? {
        let name = text(&tag["name"])?;
        writeln!(index, "\n## {name}\n\n{}\n", text(&tag["description"])?)?;
        for (path, operations) in map(&document["paths"])? {
            for (method, operation) in map(operations)? {
                if operation["tags"][0] == name {
                    let (method, summary) = (method.to_uppercase(), text(&operation["summary"])?);
                    writeln!(index, "- [{method} {base}{path}](/openapi.json): {summary}")?;
                }
            }
        }
        for (kind, message) in map(&document["webhooks"])? {
            if message["post"]["tags"][0] == name {
                let summary = text(&message["post"]["summary"])?;
                writeln!(index, "- [Message {kind}](/openapi.json): {summary}")?;
            }
        }
    }
    Ok(index)
}

fn text(value: &Value) -> Result<&str, Box<dyn Error>> {
    Ok(value
        .as_str()
        .ok_or("a text is missing in the OpenAPI document")?)
}

fn list(value: &Value) -> Result<&Vec<Value>, Box<dyn Error>> {
    Ok(value
        .as_array()
        .ok_or("a list is missing in the OpenAPI document")?)
}

fn map(value: &Value) -> Result<&serde_json::Map<String, Value>, Box<dyn Error>> {
    Ok(value
        .as_object()
        .ok_or("an object is missing in the OpenAPI document")?)
}
