//! Clauses that say that nothing was found, and clauses that only sound like it.

use crate::support::{brand, is_mentioned, reason};
use mentions::{Matcher, RejectionReason};

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
            Some(RejectionReason::NothingFound),
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

#[test]
fn a_recommendation_beside_a_brand_that_was_not_found_is_a_mention() {
    for clause in [
        "While I found no information on Acme, **Zendo** is a solid choice.",
        "I found no information on Acme, Zendo, however, is a solid choice.",
        "I found no information on Acme, and Zendo is a solid choice.",
        "I found no information on Acme and Zendo is a solid choice.",
        "While I found nothing on Acme, Zendo and Teams are solid choices.",
        "While I found nothing on Acme, Teams or Zendo is a solid choice.",
        "I found no information, on Zendo there is plenty.",
        "I found no information on Acme, for Zendo there is plenty.",
        "I found no information on Acme, and on Zendo only little.",
        "I found no information about Acme on **Zendo**.",
        "There is no data on this in **Zendo**.",
        "There is no data on this on Zendo.",
        "None of **Slack**, **Zendo** or **Teams** offers a free plan.",
        "None of Zendo and Slack offers a free plan.",
        "I do not see **Zendo** losing its lead.",
        "You could not find **Zendo** cheaper anywhere.",
        "No, I found Zendo.",
        "There is nothing about Zendo to dislike.",
        "**Zendo** – nothing but praise from users.",
        "Zendo: nothing at this price comes close.",
        "Zendo: nothing was missing.",
        "There is no match for **Zendo** on price.",
        "Zendoは欠点が見つかりません",
        "Zendoに関する悪い評判は見つかりませんでした。",
        "Zendo는 단점을 찾을 수 없습니다",
        "没有找到Zendo的缺点。",
    ] {
        assert!(is_mentioned("Zendo", clause), "{clause}");
    }
    for name in ["Slack", "Teams"] {
        assert!(is_mentioned(
            name,
            "None of Slack, Zendo or Teams offers a free plan."
        ));
    }
}

#[test]
fn a_list_of_brands_that_were_not_found_is_no_mention_of_any() {
    for clause in [
        "I couldn't find anything on Acme or Zendo.",
        "I couldn't find anything on Zendo or Acme.",
        "No results for Acme, Zendo or Teams.",
        "No results for Acme, Zendo, or Teams.",
        "No results for Acme, Teams, Zendo.",
        "No results for Acme, Zendo and others.",
        "I found no information on Acme, Teams, and Zendo, so I list others.",
        "No information on Acme and Zendo was available.",
        "I found no information on Acme or on Zendo.",
        "Search for Zendo: no occurrences found",
        "Search for Zendo: no matches.",
        "No match was found for Zendo.",
        "Zendo: nothing in the search results.",
        "There is no information available about Zendo in my sources.",
        "There is no evidence of any mention of Zendo.",
        "There is no record of a company called Zendo.",
        "None of the results mention Zendo.",
        "We were unable to find Zendo.",
        "I could not find Zendo or Acme in the list.",
        "I could not find Zendo mentioned anywhere.",
        "No encontré información acerca de Zendo.",
        "Geen informatie over Acme of Zendo gevonden.",
        "Geen informatie over Acme en Zendo gevonden.",
        "Zendoは見つかりませんでした。",
        "Zendoという会社は見つかりませんでした。",
        "Zendo는 찾을 수 없습니다.",
        "没有找到Zendo。",
        "没有找到关于Zendo和Acme的信息。",
    ] {
        assert!(!is_mentioned("Zendo", clause), "{clause}");
    }
}

#[test]
fn the_subject_may_be_the_model_the_sources_or_a_list() {
    for clause in [
        "I'm not aware of a company called Zendo.",
        "I am not familiar with Zendo.",
        "I've never heard of Zendo.",
        "I do not know of Zendo.",
        "I cannot find Zendo in my sources.",
        "No reliable sources mention Zendo.",
        "None of the sources mention Zendo.",
        "The results do not mention Zendo.",
        "Nothing came up for Zendo.",
        "My search did not return any results for Zendo.",
        "The search results do not contain information about Zendo.",
        "As for Zendo, I found no information.",
        "Information about Zendo is not available.",
        "Zendo did not show up in the results.",
        "Zendo is not listed among them.",
        "Zendo, Acme and Teams do not appear in the results.",
        "Acme, Teams and Zendo are not mentioned.",
        "However, Zendo and Acme were not found.",
        "Neither Zendo nor Acme appears in the results.",
        "Neither Acme nor Zendo was found.",
    ] {
        assert_eq!(
            reason(brand(0, "Zendo", &[], None), clause),
            Some(RejectionReason::NothingFound),
            "{clause}"
        );
    }
    for clause in [
        "If you're not familiar with Zendo, it is a tool.",
        "You may not have heard of Zendo, but it is good.",
        "If you can't find Zendo in stores, order online.",
        "I'm not aware of any tool better than Zendo.",
        "I'm not familiar with Zendo's prices.",
        "I cannot find Zendo cheaper.",
        "No list would be complete without Zendo.",
        "No other source mentions Zendo as often.",
        "Zendo is not found in stores.",
        "Zendo is not listed on the exchange.",
        "Zendo is not available in Europe.",
        "I recommend Zendo and Acme does not appear in the list.",
        "Unlike Zendo, Acme and Teams do not appear in the list.",
        "Neither Zendo nor Acme appears to be cheap.",
        "Zendo Pro does not appear in the list.",
        "Unlike Zendo, Acme is cheap.",
        "Zendo is not the cheapest.",
    ] {
        assert!(is_mentioned("Zendo", clause), "{clause}");
    }
}

#[test]
fn the_introduction_of_a_list_may_say_that_nothing_was_found_about_its_items() {
    let of_list = |intro: &str| is_mentioned("Zendo", &format!("{intro}\n\n- Acmera\n- Zendo\n- Finchly"));
    for intro in [
        "I found no information about the following brands:",
        "Zu folgenden Marken habe ich nichts gefunden:",
    ] {
        assert!(!of_list(intro), "{intro}");
    }
    for intro in [
        "I found nothing better than these brands:",
        "No information was missing. These are the best brands:",
        "The best brands:",
    ] {
        assert!(of_list(intro), "{intro}");
    }
    assert!(is_mentioned(
        "Zendo",
        "I found no information about the following brands:\n\n- Acmera\n\nZendo is a good choice for small teams."
    ));
}

#[test]
fn the_answer_to_a_question_about_a_brand_may_say_that_nothing_is_known() {
    for answer in [
        "> Is Zendo a reliable provider of internet access?\n\nI have no information about this company.",
        "“Is Zendo a good shop for hiking boots?” I could not find anything about it.",
    ] {
        assert!(!is_mentioned("Zendo", answer), "{answer}");
    }
    for answer in [
        "> Is Zendo a reliable provider of internet access?\n\nYes, it has the best coverage in the country.",
        "Is Zendo a good shop for hiking boots? I could not find anything better.",
    ] {
        assert!(is_mentioned("Zendo", answer), "{answer}");
    }
}

#[test]
fn a_name_in_a_clause_that_says_that_nothing_was_found_is_still_named() {
    let matcher = Matcher::new(&[brand(7, "Zendo", &[], None), brand(8, "Target", &[], None)]);
    for text in [
        "Why was nothing found about Zendo?",
        "Zendo (not found)",
        "I like Zendo.",
    ] {
        assert_eq!(Vec::from_iter(matcher.named_brands(text)), [7], "{text}");
    }
    for text in [
        "What is the target audience?",
        "Which zendos?",
        "[A list](https://zendo.example)",
        "",
    ] {
        assert!(matcher.named_brands(text).is_empty(), "{text}");
    }
}
