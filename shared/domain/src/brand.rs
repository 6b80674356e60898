//! Brands, which targets and cited domains stand for.

mod display_domain;
mod fold;
mod name;
mod record;
mod uuid;

pub use display_domain::display_domain;
pub use fold::fold_name;
pub use name::{parse_aliases, parse_name};
pub use record::Brand;
pub use uuid::{BrandUuid, uuid_of_domain, uuid_of_individual};
