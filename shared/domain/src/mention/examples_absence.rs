//! Clauses that say that nothing was found, and clauses that only sound like it.

use super::Reason;
use super::examples::{brand, is_mentioned, reason};

#[test]
fn a_clause_that_says_that_nothing_was_found_is_no_mention() {
    for clause in [
        "I found nothing about Zendo.",
        "I found no information on **Zendo**.",
        "No information about Zendo was available, so I list others.",
        "There is no mention of “Zendo” in the sources.",
        "I couldn't find any information about the company Zendo.",
        "I could not find Zendo in the search results.",
        "We were unable to find any reliable data on Foo, Bar or Zendo.",
        "I didn’t find any reference to Zendo; Foo is known.",
        "Search for Zendo: no occurrences.",
        "Zendo: no results",
        "Zendo – no mentions found",
        "Zendo (not found)",
        "A search for Zendo returned no results.",
        "My search for Zendo yielded nothing.",
        "The search for Zendo came up empty.",
        "For Zendo, I found nothing.",
        "Zendo was not found in the results.",
        "Zendo is not mentioned in any of them.",
        "Zendo doesn't appear in the list.",
        "Nothing was found for Zendo",
        "Ich habe keine Informationen über Zendo gefunden.",
        "Zu Zendo habe ich nichts gefunden, zu Foo schon. Zendo wurde nicht gefunden.",
        "Je n’ai trouvé aucune information sur Zendo.",
        "No encontré información sobre Zendo.",
        "Non ho trovato informazioni su Zendo.",
        "Não encontrei informações sobre Zendo.",
        "Ik heb geen informatie over Zendo gevonden.",
        "没有找到关于Zendo的信息。",
        "Zendoに関する情報は見つかりませんでした。",
        "Zendo에 대한 정보를 찾을 수 없습니다.",
    ] {
        assert!(!is_mentioned("Zendo", clause), "{clause}");
        assert_eq!(
            reason(brand(0, "Zendo", &[], None), clause),
            Some(Reason::NothingFound),
            "{clause}"
        );
    }
}

#[test]
fn a_clause_that_only_sounds_like_it_is_a_mention() {
    for clause in [
        "I found nothing better than Zendo.",
        "I couldn't find a cheaper tool than Zendo.",
        "No setup is needed for Zendo.",
        "Zendo: no data limits",
        "Zendo does not appear to have an app.",
        "Zendo is not cheap.",
        "There is no mention of prices on Zendo.",
        "I couldn't find anything wrong with Zendo.",
        "I found no information on Zendo's prices.",
        "You will not find this in Zendo.",
        "I found nothing about Foo. Zendo is good.",
        "I found nothing about Foo, but Zendo is good.",
        "I found nothing about Foo\nZendo is good",
        "Nothing was found, Zendo is an option",
        "I found nothing about Zendo at first. Then I saw that Zendo is good.",
        "Nothing beats Zendo.",
        "No, Zendo is good.",
        "Not only Zendo",
        "没有找到比Zendo更好的。",
    ] {
        assert!(is_mentioned("Zendo", clause), "{clause}");
    }
}
