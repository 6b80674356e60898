//! Brands, which targets and cited domains stand for.

mod display_domain;
mod fold;
mod legal_form;
mod name;
mod record;
mod suggested_aliases;
mod uuid;

pub use display_domain::display_domain;
pub use fold::fold_name;
pub use name::{parse_aliases, parse_name};
pub use record::Brand;
pub use suggested_aliases::suggested_aliases;
pub use uuid::{BrandUuid, uuid_of_domain, uuid_of_individual};
