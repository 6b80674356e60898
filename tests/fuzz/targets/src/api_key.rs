//! API keys are read as they were issued, and are never displayed.

use domain::api_key::ApiKey;

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Some(key) = ApiKey::parse(&text) {
        assert_eq!(key.reveal(), text);
        assert_eq!(ApiKey::parse(key.reveal()).as_ref(), Some(&key));
        assert_eq!((text.len(), key.digest().len()), (36, 64));
        assert!(!format!("{key:?}").contains(&*text) && !key.digest().contains(&*text));
        // Changing one character changes the checksum.
        for at in [4, 20, 35] {
            let mut changed = data.to_vec();
            changed[at] = if changed[at] == b'a' { b'b' } else { b'a' };
            assert_eq!(ApiKey::parse(&String::from_utf8_lossy(&changed)), None);
        }
    }
    if let Some(made) = ApiKey::from_random(data) {
        assert_eq!(ApiKey::parse(made.reveal()), Some(made.clone()));
        assert_eq!(ApiKey::parse(&format!(" {}", made.reveal())), None);
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let made = (0u8..8).filter_map(|n| ApiKey::from_random(&[n.wrapping_mul(31); 26]));
    let mut seeds: Vec<Vec<u8>> = made.map(|key| key.reveal().into()).collect();
    seeds.push(crate::world::KEY.into());
    seeds.push((0..=255).collect());
    seeds
}
