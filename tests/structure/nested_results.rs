//! Results in results, which the operator `?` cannot take apart.

use std::path::Path;

use syn::visit::{self, Visit};

use crate::source;

/// One line for each `Result<Result<…>>`, `Result<Option<Result<…>>>`, `Ok(Err(…))` and `Ok(Some(Err(…)))` of
/// a file.
pub(crate) fn find(file: &Path) -> Vec<String> {
    let mut finder = Finder {
        file,
        found: Vec::new(),
    };
    finder.visit_file(&source::parse(file));
    finder.found
}

struct Finder<'a> {
    file: &'a Path,
    found: Vec<String>,
}

impl Finder<'_> {
    fn add(&mut self, what: &str, at: proc_macro2::Span) {
        let (file, line) = (self.file.display(), at.start().line);
        self.found.push(format!("{file}:{line}: {what}"));
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        if segment.ident == "Result" && first_argument(segment).is_some_and(is_result) {
            self.add("a result in a result", segment.ident.span());
        }
        visit::visit_path_segment(self, segment);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if is_call_of(call, "Ok") && argument(call).is_some_and(is_error) {
            self.add("an error in `Ok`", call.paren_token.span.open());
        }
        visit::visit_expr_call(self, call);
    }
}

/// The first type argument of `Name<T, …>`.
fn first_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(found) => Some(found),
        _ => None,
    })
}

/// Whether a type is a result, or an option of one.
fn is_result(found: &syn::Type) -> bool {
    let syn::Type::Path(path) = found else {
        return false;
    };
    path.path.segments.last().is_some_and(|segment| {
        segment.ident == "Result"
            || (segment.ident == "Option" && first_argument(segment).is_some_and(is_result))
    })
}

/// Whether an expression is `Err(…)`, or `Some` of one.
fn is_error(expression: &syn::Expr) -> bool {
    let syn::Expr::Call(call) = expression else {
        return false;
    };
    is_call_of(call, "Err") || (is_call_of(call, "Some") && argument(call).is_some_and(is_error))
}

fn is_call_of(call: &syn::ExprCall, name: &str) -> bool {
    matches!(&*call.func, syn::Expr::Path(path) if path.path.is_ident(name))
}

fn argument(call: &syn::ExprCall) -> Option<&syn::Expr> {
    call.args.first()
}
