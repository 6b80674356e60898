//! The requests of every endpoint, with every place where they take a value, as the routes list them.

use std::sync::LazyLock;

use api::{Body, Endpoint, Input};
use serde_json::json;

use super::inputs::{InputKind, RequestVariant};
use super::{Fixture, RequestInput};

pub(crate) static REQUEST_VARIANTS: LazyLock<Vec<RequestVariant>> =
    LazyLock::new(|| ::openapi::endpoints::all().flat_map(variants).collect());

/// Returns a variant for each form of an endpoint's body, or one for its parameters.
fn variants(endpoint: Endpoint) -> Vec<RequestVariant> {
    let route: &str = format!("{} {}", endpoint.method.name(), endpoint.path).leak();
    let forms: Vec<&[Input]> = match endpoint.body {
        Body::None => vec![endpoint.query],
        Body::Fields(fields) => vec![fields],
        Body::OneOf(forms) => forms.iter().map(|(_, fields)| *fields).collect(),
    };
    let is_only = forms.len() == 1;
    let variant = |(form, inputs): (usize, &[Input])| {
        let mut places = Vec::new();
        // What only another form takes is refused by that form's name.
        for input in inputs
            .iter()
            .filter(|input| is_only || input.kind != InputKind::Never)
        {
            add_places(&mut places, input.name.to_owned(), input.kind);
        }
        if !endpoint.columns.is_empty() {
            places.push(("format", InputKind::Word("", &["json"])));
        }
        let required = inputs.iter().filter(|input| input.is_required && form == 0);
        let required = required.map(|input| input.name).collect();
        RequestVariant {
            route,
            request: other_request(route, form),
            inputs: places,
            required,
        }
    };
    forms.into_iter().enumerate().map(variant).collect()
}

/// Adds the place of a parameter or field, and the places of what is in its list.
fn add_places(places: &mut Vec<(&'static str, InputKind)>, at: String, kind: InputKind) {
    let at: &str = at.leak();
    places.push((at, kind));
    let InputKind::List(list) = kind else {
        return;
    };
    let first = |name: &str| -> &str { format!("{at}[]{name}").leak() };
    let fields = match list.item {
        InputKind::Object(_, fields) => {
            let required = fields.iter().filter(|field| field.is_required);
            places.extend(required.map(|field| (first(&format!(".{}", field.name)), field.kind)));
            fields
        }
        InputKind::TextOrObject(_, fields) => {
            places.push((first(""), fields[0].kind));
            fields
        }
        item => {
            places.push((first(""), item));
            &[]
        }
    };
    for field in fields {
        add_places(places, format!("{at}[1].{}", field.name), field.kind);
    }
}

/// Returns the request of a form that the endpoint's default request does not have, or does not have every
/// place of.
fn other_request(route: &str, form: usize) -> Option<fn(&Fixture) -> RequestInput> {
    match (route, form) {
        ("POST /entities/actions/create-task", _) => Some(|fixture| {
            RequestInput::body(json!({"actionableId": fixture.actionable, "assignees": [fixture.member]}))
        }),
        ("POST /entities/addprompt", 1) => Some(|fixture| {
            let own =
                json!({"prompt": "Which two?", "language": "fr", "geolocation": "fr", "tags": [fixture.tag]});
            RequestInput::body(json!({
                "entityId": fixture.entity, "prompts": ["Which one?", own], "language": "de",
                "geolocation": "at", "tags": [fixture.tag],
            }))
        }),
        ("PATCH /entities/updateprompt", 1) => Some(|fixture| {
            let update = |prompt: &str| {
                json!({
                    "promptId": prompt, "prompt": "Which then?", "language": "de", "geolocation": "at",
                    "isActive": false, "tags": [fixture.tag],
                })
            };
            // The other entity's first prompt.
            let other = format!("{}-p1", fixture.other);
            RequestInput::body(json!({"updates": [update(&fixture.prompt), update(&other)]}))
        }),
        _ => None,
    }
}
