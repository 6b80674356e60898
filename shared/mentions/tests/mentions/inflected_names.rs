//! Names with the endings and prefixes of the answer's language.

use crate::support::{all_mentioned, none_mentioned};

#[test]
fn the_endings_of_the_answers_language_inflect_a_name() {
    all_mentioned(&[
        (
            "Zendora",
            "Zendoras App ist nicht die billigste, aber sie ist gut.",
        ),
        (
            "Zendora",
            "Det är Zendoras app som jag skulle välja, och den är inte dyr.",
        ),
        (
            "Зендора",
            "Лучше всего взять приложение Зендоры, потому что оно бесплатное.",
        ),
        (
            "Zendora",
            "Najlepiej wypada aplikacja Zendory, bo nie jest droga.",
        ),
        ("Zendora", "Nejlepší je aplikace od Zendory, protože není drahá."),
        (
            "Zendoro",
            "Suosittelen Zendoron sovellusta, koska se ei ole kallis.",
        ),
        ("Zendora", "Uygulama için Zendora'nın planı daha iyi ve ucuz."),
        (
            "KLP",
            "KLPs indeksfond er blant de billigste, og det er ikke dyrt.",
        ),
        (
            "الزندور",
            "ما سرّ الإقبال؟ للزندور نكهة لا تشبه غيرها وسعر لا ينافسه ماكدونالدز.",
        ),
        ("أرامكو", "تعمل الشركة مع سابك وأرامكو في هذا المشروع."),
    ]);
}

#[test]
fn derived_words_and_short_names_are_no_inflections() {
    none_mentioned(&[
        (
            "Zendora",
            "Die Zendoraner wohnen nicht in der Stadt, und das ist gut.",
        ),
        ("Lyn", "Das ist nicht die Lyns, und es ist auch nicht der Ort."),
    ]);
}

#[test]
fn an_english_plural_with_a_capital_is_the_name() {
    all_mentioned(&[
        ("Zendora", "There were two Zendoras parked outside."),
        ("Demand IQ", "We compared three Demand IQs."),
    ]);
    // In small letters, the plural is another word, and so is one that the lists have.
    none_mentioned(&[
        ("Zendora", "There were two zendoras parked outside."),
        ("Apple", "There were two apples on the table."),
        ("Lyn", "There were two Lyns on the table."),
    ]);
}
