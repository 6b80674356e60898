//! Names that are common words, and names that are numbers.

use crate::support::{all_mentioned, brand, is_mentioned, none_mentioned, reason};
use mentions::{Matcher, RejectionReason};

#[test]
fn a_name_of_common_words_in_small_letters_is_the_common_noun() {
    for (name, answer) in [
        ("Notion", "the notion of time"),
        ("Best Buy", "the best buy, a best-buy"),
        ("Apple", "an apple a day"),
        ("Target", "**target**"),
        ("notion", "the notion"),
        ("X", "solve for x"),
    ] {
        assert_eq!(
            reason(brand(0, name, &[], None), answer),
            Some(RejectionReason::CommonWord),
            "{name} in {answer}"
        );
        assert!(!is_mentioned(name, answer), "{name} in {answer}");
    }
    all_mentioned(&[
        ("Notion", "the notion of Notion"),
        ("Notion", "We use NOTION daily."),
        ("Best Buy", "at Best buy"),
        ("Zendo Cloud", "zendo cloud"),
        ("苹果", "推荐苹果和Samsung。"),
    ]);
    let apple = Matcher::new(&[brand(0, "Apple", &[], Some("apple.com"))]);
    assert_eq!(apple.find("at apple.com").mentioned.len(), 1);
}

#[test]
fn english_words_in_other_languages_are_common_words_too() {
    none_mentioned(&[
        (
            "Boots",
            "ถ้าจะเดินป่าหน้าฝน เลือก hiking boots พื้นยาง กันลื่น แล้วพกถุงเท้าสำรองสองคู่",
        ),
        (
            "Best Buy",
            "Nếu hội thoại có cụm “the best buy in town” thì dịch thoáng là món hời nhất vùng.",
        ),
        (
            "Free",
            "La plupart de ces outils fonctionnent sur un modèle dit *free to play* : le jeu ne coûte rien.",
        ),
    ]);
}

#[test]
fn a_longer_name_in_small_letters_is_the_phrase_even_if_a_word_is_inflected_or_a_compound() {
    none_mentioned(&[
        (
            "Dina Försäkringar",
            "Samla dina försäkringar hos ett bolag så får du ofta rabatt.",
        ),
        (
            "Suomalainen Kirjakauppa",
            "Jos haluat tukea kotimaista, valitse pieni suomalainen kirjakauppa omasta kaupungistasi.",
        ),
        (
            "Nowa Era",
            "W motoryzacji zaczęła się wtedy nowa era: auta paliły mniej.",
        ),
    ]);
    all_mentioned(&[(
        "Zendo Försäkringar",
        "Jag har zendo försäkringar och det är inte dyrt.",
    )]);
}

#[test]
fn other_accents_make_another_word_and_missing_ones_do_not() {
    none_mentioned(&[
        (
            "Uber",
            "A német „über” elöljáró irányt fejez ki, és ez nem nehéz.",
        ),
        (
            "Saari",
            "Juoksijan sääri kipeytyy usein, jos kilometrejä lisätään liian nopeasti.",
        ),
        ("Νόμος", "Κάθε νομός έχει δικό του γραφείο και δεν είναι μακριά."),
    ]);
    all_mentioned(&[
        ("Zabka", "Kupuję codziennie w Żabka, bo nie jest daleko."),
        ("Gebrüder Weiß", "Die Firma Gebrüder Weiss ist nicht billig."),
        ("Nescafé™", "Der Kaffee von Nescafé ist nicht teuer."),
        ("Kahoot!", "For quizzes we use Kahoot in class."),
        (
            "Electro Dépôt",
            "Pour un lave-linge, Électro-Dépôt descend souvent sous les 230 €.",
        ),
        ("Nestle", "The coffee by Nestlé is sold everywhere."),
        ("Škoda", "Das Auto von Skoda ist nicht teuer."),
    ]);
}

#[test]
fn a_name_of_digits_only_is_a_name() {
    all_mentioned(&[
        ("1688", "order on 1688, or on 1688.com"),
        ("1688", "**1688**: cheap"),
        ("1688", "1688's prices, Alibaba/1688"),
        ("360", "use 360 on a PC"),
        ("37signals", "37signals"),
    ]);
    none_mentioned(&[
        ("1688", "16880 or 21688"),
        ("688", "1,688 or 688,000 or 688.5"),
        ("688", "$688, 688% and 688€"),
        ("30", "at 12:30"),
    ]);
}
