//! Brands, which targets and cited domains stand for. The UUID of a brand is computed from its domain or name.

mod fold;
mod name;
mod record;

pub use fold::fold_name;
pub use name::{parse_aliases, parse_name};
pub use record::Brand;
use uuid::Uuid;

use crate::id::WorkspaceId;
use crate::target::Target;

/// The id of a brand, a UUIDv5.
pub type BrandUuid = Uuid;

/// The UUIDv5 namespace of registrable domains. It must never change, because stored entities contain the ids.
const DOMAINS: Uuid = Uuid::from_u128(0x7a0f_4c1e_93d2_4b58_a6c7_1d0e_52b8_f934);
/// The UUIDv5 namespace of individuals without a domain. It must never change either.
const INDIVIDUALS: Uuid = Uuid::from_u128(0xc3d1_86a5_0b7e_4f29_8e14_6fa2_97c0_5d3b);

/// Returns the UUID of the brand of a registrable domain in lower-case ASCII. It does not depend on the workspace.
pub fn uuid_of_domain(registrable: &str) -> BrandUuid {
    Uuid::new_v5(&DOMAINS, registrable.as_bytes())
}

/// Returns the UUID of the brand of an individual that has no domain. It depends on the workspace.
pub fn uuid_of_individual(workspace: &WorkspaceId, name: &str) -> BrandUuid {
    let text = format!("{workspace}\n{}", fold_name(name));
    Uuid::new_v5(&INDIVIDUALS, text.as_bytes())
}

/// Returns a domain with its punycode labels decoded, for example `münchen.de` for `xn--mnchen-3ya.de`.
pub fn display_domain(domain: &str) -> String {
    let decoded = url::quirks::domain_to_unicode(domain);
    if decoded.is_empty() {
        domain.to_owned()
    } else {
        decoded
    }
}

/// Returns the UUID of the brand of a target that is tracked under `name`.
pub fn uuid_of_target(target: &Target, workspace: &WorkspaceId, name: &str) -> BrandUuid {
    match target.registrable() {
        Some(domain) => uuid_of_domain(domain),
        None => uuid_of_individual(workspace, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(n: u128) -> WorkspaceId {
        WorkspaceId::from_random(Uuid::from_u128(n))
    }

    fn target(domain: &str) -> Target {
        Target::parse_domain("domain", domain).unwrap()
    }

    #[test]
    fn the_uuids_never_change() {
        assert_eq!(
            uuid_of_domain("example.com").to_string(),
            "7dea88c1-f321-5f64-bd14-a25dfce7807a"
        );
        assert_eq!(
            uuid_of_individual(&workspace(1), "Jane Doe").to_string(),
            "0e5df962-cd34-51e2-ae25-1e63514ac1f3"
        );
    }

    #[test]
    fn a_domain_is_displayed_in_unicode() {
        assert_eq!(display_domain("xn--mnchen-3ya.de"), "münchen.de");
        assert_eq!(display_domain("example.com"), "example.com");
        assert_eq!(display_domain("192.0.2.1"), "192.0.2.1");
        assert_eq!(display_domain("[2001:db8::1]"), "[2001:db8::1]");
    }

    #[test]
    fn a_domain_is_one_brand_in_every_workspace() {
        let a = uuid_of_target(&target("https://www.example.com/shop"), &workspace(1), "A");
        let b = uuid_of_target(&target("blog.example.com").into_individual(), &workspace(2), "B");
        assert_eq!(a, b);
        assert_eq!(a, uuid_of_domain("example.com"));
        assert_ne!(
            uuid_of_target(&target("a.github.io"), &workspace(1), "A"),
            uuid_of_target(&target("b.github.io"), &workspace(1), "A"),
        );
    }

    #[test]
    fn an_individual_is_a_brand_of_its_workspace_by_its_folded_name() {
        let jane = Target::individual("name", "Jane Doe").unwrap();
        let a = uuid_of_target(&jane, &workspace(1), "Jane Doe");
        assert_eq!(a, uuid_of_individual(&workspace(1), " JANE  doe"));
        assert_ne!(a, uuid_of_individual(&workspace(2), "Jane Doe"));
        assert_ne!(
            uuid_of_individual(&workspace(1), "example.com"),
            uuid_of_domain("example.com")
        );
        assert_eq!(a.get_version_num(), 5);
    }
}
