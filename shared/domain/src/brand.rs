//! Brands: what a target or a cited domain stands for, in every workspace. Their ids are computed, never looked up.

mod fold;
mod name;
mod record;

pub use fold::fold_name;
pub use name::{aliases, name};
pub use record::Brand;
use uuid::Uuid;

use crate::id::WorkspaceId;
use crate::target::Target;

/// A brand's id: a UUIDv5.
pub type BrandUuid = Uuid;

/// Namespaces of the ids. They must never change: stored entities and facts carry the ids.
const DOMAINS: Uuid = Uuid::from_u128(0x7a0f_4c1e_93d2_4b58_a6c7_1d0e_52b8_f934);
const INDIVIDUALS: Uuid = Uuid::from_u128(0xc3d1_86a5_0b7e_4f29_8e14_6fa2_97c0_5d3b);

/// The brand of a registrable domain (lower-case ASCII), the same in every workspace.
pub fn of_domain(registrable: &str) -> BrandUuid {
    Uuid::new_v5(&DOMAINS, registrable.as_bytes())
}

/// The brand of an individual that has no domain. It is the workspace's own.
pub fn of_individual(workspace: &WorkspaceId, name: &str) -> BrandUuid {
    let text = format!("{workspace}\n{}", fold_name(name));
    Uuid::new_v5(&INDIVIDUALS, text.as_bytes())
}

/// A domain in its own letters: `xn--mnchen-3ya.de` is `münchen.de`.
pub fn shown_domain(domain: &str) -> String {
    let shown = url::quirks::domain_to_unicode(domain);
    if shown.is_empty() {
        domain.to_owned()
    } else {
        shown
    }
}

/// The brand of a new tracking of `target` under `name`.
pub fn of_target(target: &Target, workspace: &WorkspaceId, name: &str) -> BrandUuid {
    match target.registrable() {
        Some(domain) => of_domain(domain),
        None => of_individual(workspace, name),
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
    fn the_ids_never_change() {
        assert_eq!(
            of_domain("example.com").to_string(),
            "7dea88c1-f321-5f64-bd14-a25dfce7807a"
        );
        assert_eq!(
            of_individual(&workspace(1), "Jane Doe").to_string(),
            "0e5df962-cd34-51e2-ae25-1e63514ac1f3"
        );
    }

    #[test]
    fn a_domain_is_shown_in_its_own_letters() {
        assert_eq!(shown_domain("xn--mnchen-3ya.de"), "münchen.de");
        assert_eq!(shown_domain("example.com"), "example.com");
        assert_eq!(shown_domain("192.0.2.1"), "192.0.2.1");
        assert_eq!(shown_domain("[2001:db8::1]"), "[2001:db8::1]");
    }

    #[test]
    fn a_domain_is_one_brand_in_every_workspace() {
        let a = of_target(&target("https://www.example.com/shop"), &workspace(1), "A");
        let b = of_target(&target("blog.example.com").of_individual(), &workspace(2), "B");
        assert_eq!(a, b);
        assert_eq!(a, of_domain("example.com"));
        assert_ne!(
            of_target(&target("a.github.io"), &workspace(1), "A"),
            of_target(&target("b.github.io"), &workspace(1), "A"),
        );
    }

    #[test]
    fn an_individual_is_a_brand_of_its_workspace_by_its_folded_name() {
        let jane = Target::individual("name", "Jane Doe").unwrap();
        let a = of_target(&jane, &workspace(1), "Jane Doe");
        assert_eq!(a, of_individual(&workspace(1), " JANE  doe"));
        assert_ne!(a, of_individual(&workspace(2), "Jane Doe"));
        assert_ne!(
            of_individual(&workspace(1), "example.com"),
            of_domain("example.com")
        );
        assert_eq!(a.get_version_num(), 5);
    }
}
