//! The console's modules that a browser loads together with the page.

use std::collections::BTreeSet;
use std::error::Error;

use super::console_files::SourceFile;

/// The module that the page starts with.
const START: &str = "js/main.js";

/// Returns the elements that load all modules of the first view at once. Without them, a browser finds a
/// module only after it has read the one that imports it. The page imports the modules of other views later.
pub(crate) fn links(files: &[SourceFile], folder: &str) -> Result<String, Box<dyn Error>> {
    let modules = imported_from(START, files)?;
    let links = modules
        .iter()
        .map(|path| format!("  <link rel=\"modulepreload\" href=\"{folder}/{path}\">"));
    Ok(links.collect::<Vec<_>>().join("\n"))
}

/// Returns the paths of a module and of all that it imports, directly or not, except with `import()`.
fn imported_from(start: &str, files: &[SourceFile]) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut found = BTreeSet::new();
    let mut open = vec![start.to_owned()];
    while let Some(path) = open.pop() {
        let file = files.iter().find(|file| file.path == path);
        let file = file.ok_or_else(|| format!("{path} is imported, but is no file of the console"))?;
        let source = std::str::from_utf8(&file.content)?;
        open.extend(imports(source).map(|import| resolve(&path, import)));
        found.insert(path);
        open.retain(|path| !found.contains(path));
    }
    Ok(found)
}

/// Returns the relative addresses in the `import … from` of a module.
fn imports(source: &str) -> impl Iterator<Item = &str> {
    let after_from = source.split("from").skip(1).map(str::trim_start);
    after_from
        .filter_map(|rest| rest.strip_prefix('"')?.split_once('"'))
        .map(|(address, _)| address)
        .filter(|address| address.starts_with('.'))
}

/// Returns the path to which an address in the file `path` leads.
fn resolve(path: &str, address: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}
