//! Which files of a crate use which, and the circles among them.
//!
//! A file uses another when one of its paths or private imports names an item that the other defines.
//! Declaring a module and re-exporting its items is no use: the file that a name leads to is the one that
//! defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

use crate::source::{is_test_only, parse};

/// Re-exports that a name may lead through.
const MAX_REEXPORTS: u32 = 16;

type ModulePath = Vec<String>;

/// A crate's modules that have a file of their own, by path. The crate's root has the empty path.
pub(crate) struct ModuleTree {
    modules: BTreeMap<ModulePath, Module>,
}

struct Module {
    file: PathBuf,
    syntax: syn::File,
    /// The names of the items that the file defines.
    items: BTreeSet<String>,
    /// What the file's `use` declarations bind: a name, and the path that it stands for.
    imports: Vec<Import>,
}

struct Import {
    /// `None`: everything in the module `path`.
    name: Option<String>,
    path: ModulePath,
    is_reexport: bool,
}

impl ModuleTree {
    /// Reads a crate from its root file.
    pub(crate) fn read(root: &Path) -> Self {
        let mut tree = Self {
            modules: BTreeMap::new(),
        };
        let folder = root.parent().unwrap_or(root).to_path_buf();
        tree.add(Vec::new(), root.to_path_buf(), &folder);
        tree
    }

    /// Adds a module and those that it declares. `folder`: where the files of its child modules are.
    fn add(&mut self, path: ModulePath, file: PathBuf, folder: &Path) {
        let syntax = parse(&file);
        let (mut items, mut imports, mut children) = (BTreeSet::new(), Vec::new(), Vec::new());
        for item in &syntax.items {
            match item {
                syn::Item::Mod(module) if is_test_only(&module.attrs) => {}
                syn::Item::Mod(module) if module.content.is_none() => children.push(module.ident.to_string()),
                syn::Item::Use(import) if !is_test_only(&import.attrs) => {
                    let is_reexport = !matches!(import.vis, syn::Visibility::Inherited);
                    collect_imports(&import.tree, Vec::new(), is_reexport, &mut imports);
                }
                other => items.extend(defined_name(other)),
            }
        }
        for child in children {
            let below = folder.join(&child);
            let beside = folder.join(format!("{child}.rs"));
            let child_file = if beside.is_file() {
                beside
            } else {
                below.join("mod.rs")
            };
            let child_path = path.iter().cloned().chain([child]).collect();
            self.add(child_path, child_file, &below);
        }
        let module = Module {
            file,
            syntax,
            items,
            imports,
        };
        self.modules.insert(path, module);
    }

    /// The groups of files that use each other in a circle, one line each.
    pub(crate) fn circles(&self) -> Vec<String> {
        let edges: BTreeMap<&ModulePath, BTreeSet<ModulePath>> = self
            .modules
            .keys()
            .map(|path| (path, self.uses_of(path)))
            .collect();
        let reachable: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> =
            edges.keys().map(|path| (*path, reach(&edges, path))).collect();
        let mut reported = BTreeSet::new();
        let mut circles = Vec::new();
        for (path, reached) in &reachable {
            if !reached.contains(path) || reported.contains(path) {
                continue;
            }
            let circle: Vec<&ModulePath> = reached
                .iter()
                .filter(|other| reachable[**other].contains(*path))
                .copied()
                .collect();
            reported.extend(circle.iter().copied());
            let files: Vec<String> = circle
                .iter()
                .map(|path| self.modules[*path].file.display().to_string())
                .collect();
            circles.push(files.join(" ↔ "));
        }
        circles
    }

    /// The modules whose items a module uses, itself excepted.
    fn uses_of(&self, path: &ModulePath) -> BTreeSet<ModulePath> {
        let module = &self.modules[path];
        let mut collector = PathCollector::default();
        collector.visit_file(&module.syntax);
        let private_imports = module.imports.iter().filter(|import| !import.is_reexport);
        private_imports
            .map(|import| &import.path)
            .chain(&collector.paths)
            .filter_map(|named| self.defining_module(path, named, MAX_REEXPORTS))
            .filter(|used| used != path)
            .collect()
    }

    /// The module that defines what `named` leads to in the module `from`. `None`: another crate, or a name
    /// that is neither an item nor a module.
    fn defining_module(&self, from: &ModulePath, named: &[String], steps: u32) -> Option<ModulePath> {
        let (mut at, mut rest) = (from.clone(), named);
        let mut is_anchored = false;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => break,
            }
            (rest, is_anchored) = (after, true);
        }
        loop {
            let Some((name, after)) = rest.split_first() else {
                return is_anchored.then_some(at);
            };
            let child: ModulePath = at.iter().cloned().chain([name.clone()]).collect();
            if self.modules.contains_key(&child) {
                (at, rest, is_anchored) = (child, after, true);
                continue;
            }
            let module = self.modules.get(&at)?;
            if module.items.contains(name) {
                return Some(at);
            }
            let steps = steps.checked_sub(1)?;
            return module.imports.iter().find_map(|import| {
                let target: ModulePath = match &import.name {
                    Some(bound) if bound == name => import.path.iter().chain(after).cloned().collect(),
                    Some(_) => return None,
                    None => import.path.iter().chain(rest).cloned().collect(),
                };
                self.defining_module(&at, &target, steps)
            });
        }
    }
}

fn reach<'a>(
    edges: &'a BTreeMap<&ModulePath, BTreeSet<ModulePath>>,
    from: &ModulePath,
) -> BTreeSet<&'a ModulePath> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&ModulePath> = edges[from].iter().collect();
    while let Some(path) = open.pop() {
        if found.insert(path) {
            open.extend(&edges[path]);
        }
    }
    found
}

fn collect_imports(tree: &syn::UseTree, mut path: ModulePath, is_reexport: bool, found: &mut Vec<Import>) {
    let mut bind = |name: Option<String>, path| {
        found.push(Import {
            name,
            path,
            is_reexport,
        });
    };
    match tree {
        syn::UseTree::Path(part) => {
            path.push(part.ident.to_string());
            collect_imports(&part.tree, path, is_reexport, found);
        }
        syn::UseTree::Name(last) if last.ident == "self" => bind(path.last().cloned(), path),
        syn::UseTree::Name(last) => {
            path.push(last.ident.to_string());
            bind(Some(last.ident.to_string()), path);
        }
        syn::UseTree::Rename(last) => {
            path.push(last.ident.to_string());
            bind(Some(last.rename.to_string()), path);
        }
        syn::UseTree::Glob(_) => bind(None, path),
        syn::UseTree::Group(group) => {
            for part in &group.items {
                collect_imports(part, path.clone(), is_reexport, found);
            }
        }
    }
}

fn defined_name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Mod(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// The paths in a file's code, without those in tests and `use` declarations.
#[derive(Default)]
struct PathCollector {
    paths: Vec<ModulePath>,
}

impl<'ast> Visit<'ast> for PathCollector {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test_only(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test_only(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        if !is_test_only(&block.attrs) {
            visit::visit_item_impl(self, block);
        }
    }

    /// A visibility such as `pub(super)` names a module but uses nothing of it.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string());
        self.paths.push(segments.collect());
        visit::visit_path(self, path);
    }
}
