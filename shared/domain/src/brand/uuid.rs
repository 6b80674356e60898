//! The UUIDs of brands, which are computed from their domains or names.

use uuid::Uuid;

use super::fold_name;
use crate::id::WorkspaceId;

/// The id of a brand, a UUIDv5.
pub type BrandUuid = Uuid;

/// The UUIDv5 namespace of registrable domains. It must never change, because stored entities contain the
/// ids.
const DOMAINS: Uuid = Uuid::from_u128(0x7a0f_4c1e_93d2_4b58_a6c7_1d0e_52b8_f934);
/// The UUIDv5 namespace of individuals without a domain. It must never change either.
const INDIVIDUALS: Uuid = Uuid::from_u128(0xc3d1_86a5_0b7e_4f29_8e14_6fa2_97c0_5d3b);

/// Returns the UUID of the brand of a registrable domain in lower-case ASCII. It does not depend on the
/// workspace.
pub fn uuid_of_domain(registrable: &str) -> BrandUuid {
    Uuid::new_v5(&DOMAINS, registrable.as_bytes())
}

/// Returns the UUID of the brand of an individual that has no domain. It depends on the workspace.
pub fn uuid_of_individual(workspace: &WorkspaceId, name: &str) -> BrandUuid {
    let text = format!("{workspace}\n{}", fold_name(name));
    Uuid::new_v5(&INDIVIDUALS, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(n: u128) -> WorkspaceId {
        WorkspaceId::from_random(Uuid::from_u128(n))
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
}
