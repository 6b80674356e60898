//! What requests take.

use api::prompts::PROMPTS;
use api::{Body, Input, Kind, List, Resource};
use domain::limits::{MAX_ALIASES, MAX_DESCRIPTION_CHARS, MAX_FREQUENCY_HOURS, MAX_NAME_CHARS, MAX_REASON_CHARS};

/// The body of `POST /entities`.
pub(crate) const CREATE: Body = Body::Fields(&[
    Input::required("name", Kind::Name(MAX_NAME_CHARS), "The display name"),
    Input::optional("domain", Kind::DomainOrEmpty,
        "A domain such as example.com, or an http(s) URL, whose path counts too. IP addresses, single labels, public suffixes, \
         ports and credentials are invalid. Only an individual can be without a domain."),
    Input::optional("description", Kind::Note(MAX_DESCRIPTION_CHARS), "What the brand offers. Generated prompts ask for it."),
    Input::optional("language", Kind::Language, "The default language of the prompts."),
    Input::optional("geolocation", Kind::Geolocation, "The default geolocation of the prompts."),
    Input::optional("trackingType", Kind::Word("TrackingType", &["website", "individual"]), "What is tracked. Default: `website`."),
    Input { is_required: true, ..MODELS },
    Input::optional("prompts", Kind::List(&PROMPTS),
        "Prompts, each as a text, or as an object with a language, geolocation or tags of its own. Duplicates are one prompt."),
    Input::optional("generatePrompts", Kind::Flag,
        "Generate up to 10 prompts if `prompts` is not given. With `false` there are no prompts. Default: `true`."),
    Input::optional("startTracking", Kind::Flag, "Run the first check at once. Default: `true`."),
]);

/// The body of `PATCH /entities`.
pub(crate) const UPDATE: Body = Body::Fields(&[
    Input::id("entityId", Resource::Entity, "The entity"),
    Input::optional("name", Kind::Never, "The name changes by POST /entities/name-request"),
    Input::optional("target", Kind::Domain, "Another host or path of the same registrable domain"),
    Input::optional("description", Kind::Note(MAX_DESCRIPTION_CHARS), "What the brand offers"),
    Input::optional("language", Kind::Language, "The language of prompts that have none of their own."),
    Input::optional("geolocation", Kind::Geolocation, "The geolocation of prompts that have none of their own."),
    MODELS,
    Input::optional("aliases", Kind::List(&List { most: MAX_ALIASES, ..List::of(Kind::Name(MAX_NAME_CHARS), "A name") }),
        "All other names that count as mentions"),
    Input::optional("isActive", Kind::Flag, "`true` makes a check due at once"),
    Input::optional("frequencyHours", Kind::Whole(1, MAX_FREQUENCY_HOURS as u64, None),
        "The hours between checks, counted from the last check slot"),
]);

/// The body of `POST /entities/name-request`.
pub(crate) const NAME_REQUEST: Body = Body::Fields(&[
    Input::id("entityId", Resource::Entity, "The entity"),
    Input::required("suggestedName", Kind::Name(MAX_NAME_CHARS),
        "The new name, which must differ from the current one unless aliases are given"),
    Input::optional("aliases",
        Kind::List(&List { most: MAX_ALIASES, ..List::of(Kind::Name(MAX_NAME_CHARS), "Another name of the brand") }),
        "The aliases that the entity is to get in place of its own. Without the field it keeps them, and its present name becomes one."),
    Input::optional("reason", Kind::Note(MAX_REASON_CHARS), "Why the name should change"),
]);

const MODELS: Input = Input::optional("models",
    Kind::List(&List { least: 1, ..List::of(Kind::Choice(Resource::Model), "The `uuid` of a model from GET /models") }),
    "The models that are asked");
