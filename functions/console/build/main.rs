//! Prepares what the function serves, so that the function only has to look it up: the files of the console,
//! the page that renders the OpenAPI document, the document itself, and the index of the API for language
//! models.
#![forbid(unsafe_code)]

mod console_files;
mod llms;
mod modules;
mod swagger_ui;
mod table;

use std::error::Error;
use std::path::Path;

use console_files::SourceFile;
use table::{Caching, Policy, Served, Table};

// Cargo runs the script in the folder of the package.
const STATIC: &str = "static";
const DOCS: &str = "docs";
const DOCUMENT: &str = "../../infra/openapi.json";

#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "cargo names the folder of the output in the environment, and reads what to watch from stdout"
)]
fn main() -> Result<(), Box<dyn Error>> {
    for watched in [STATIC, DOCS, DOCUMENT] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let output = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let mut table = Table::new(Path::new(&output))?;
    add_console(&mut table)?;
    add_docs(&mut table)?;
    let document = std::fs::read(DOCUMENT)?;
    for path in ["/openapi.json", "/v1/openapi.json"] {
        table.add(Served {
            path,
            route: path,
            media_type: "application/json",
            caching: Caching::Revalidated,
            policy: Policy::Document,
            content: &document,
        })?;
    }
    table.add(Served {
        path: "/llms.txt",
        route: "/llms.txt",
        media_type: "text/plain; charset=utf-8",
        caching: Caching::Revalidated,
        policy: Policy::Document,
        content: llms::index(&serde_json::from_slice(&document)?)?.as_bytes(),
    })?;
    table.write()
}

/// Adds the console's page, and its other files below a path that changes with their contents.
fn add_console(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let files = console_files::read(Path::new(STATIC))?;
    let folder = format!("/console/{}", console_files::hash(&files));
    let links = modules::links(&files, &folder)?;
    for file in &files {
        if file.path == "index.html" {
            let page = String::from_utf8(file.content.clone())?
                .replace("{modules}", &links)
                .replace("{files}", &folder);
            table.add(Served {
                path: "/",
                route: "/",
                media_type: table::media_type(&file.path)?,
                caching: Caching::Revalidated,
                policy: Policy::Console,
                content: page.as_bytes(),
            })?;
        } else {
            table.add(Served {
                path: &format!("{folder}/{}", file.path),
                route: "/console/{file+}",
                media_type: table::media_type(&file.path)?,
                caching: Caching::Immutable,
                policy: Policy::Console,
                content: &file.content,
            })?;
        }
    }
    Ok(())
}

/// Adds the page that renders the OpenAPI document, and the files that it loads.
fn add_docs(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let own = |name: &str| std::fs::read(Path::new(DOCS).join(name));
    let mut files = swagger_ui::files()?;
    files.push(SourceFile {
        path: "start.js".to_owned(),
        content: own("start.js")?,
    });
    table.add(Served {
        path: "/docs",
        route: "/docs",
        media_type: "text/html; charset=utf-8",
        caching: Caching::Revalidated,
        policy: Policy::Docs,
        content: &own("index.html")?,
    })?;
    for file in &files {
        table.add(Served {
            path: &format!("/docs/{}", file.path),
            route: "/docs/{file+}",
            media_type: table::media_type(&file.path)?,
            caching: Caching::Revalidated,
            policy: Policy::Docs,
            content: &file.content,
        })?;
    }
    Ok(())
}
