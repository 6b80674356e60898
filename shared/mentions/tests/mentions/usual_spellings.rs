//! Spellings that differ from the name as the brand writes it.

use crate::support::{all_mentioned, none_mentioned};

#[test]
fn signs_quotes_and_dots_may_be_left_out() {
    all_mentioned(&[
        ("Yahoo!", "Zalbo and Yahoo are portals."),
        ("Toys \"R\" Us", "a branch of Toys R Us"),
        ("Dr. Oetker", "a pizza by Dr Oetker"),
        ("H.P.", "a printer by HP"),
        ("HP", "a printer by H.P. or Epson"),
        ("J.Crew", "a coat by J. Crew"),
    ]);
    // Where the rest is a common word, the sign belongs to the name. So does a sign at the start.
    none_mentioned(&[
        ("Which?", "Ask which of them is better."),
        (
            "Which?",
            "英会話の定番フレーズ「Which do you prefer？」は、店員がよく使います。",
        ),
        (".NET", "The net is wide."),
    ]);
}

#[test]
fn an_ampersand_may_be_the_word_of_the_answers_language() {
    all_mentioned(&[
        ("Marks & Spencer", "Socks from Marks and Spencer are good."),
        (
            "Marks & Spencer",
            "Die Socken von Marks und Spencer sind gut und halten lange.",
        ),
        (
            "Marks & Spencer",
            "Les chaussettes de Marks et Spencer sont bonnes pour la marche.",
        ),
        (
            "Pull&Bear",
            "En Pull and Bear encontrarás vaqueros anchos por unos treinta euros.",
        ),
        (
            "Musti ja Mirri",
            "Koiralle löytyy valjaat liikkeestä Musti & Mirri.",
        ),
    ]);
    none_mentioned(&[(
        "Marks & Spencer",
        "Socks from Marks und Spencer are good and they last.",
    )]);
}

#[test]
fn numbers_and_words_may_join_or_part() {
    all_mentioned(&[
        ("37signals", "a book by 37 Signals"),
        ("1Password", "vaults in 1 Password"),
        ("23andMe", "a kit from 23 and Me"),
        ("A101", "cheap at A 101"),
        ("n11", "kupony w N 11"),
        ("58同城", "在58 同城上"),
        ("G마켓", "G 마켓에서"),
    ]);
    none_mentioned(&[("3M", "it is 3 m wide"), ("A1", "exit A 1")]);
}

#[test]
fn a_joined_name_may_be_written_as_two_capitalized_words() {
    all_mentioned(&[
        ("Coolblue", "Cool Blue delivers tomorrow."),
        ("Naturasì", "da Natura Sì"),
        ("eMAG", "La e-MAG poți plăti în rate fără dobândă."),
        ("무신사스토어", "무신사 스토어가 유리합니다"),
        ("डीमार्ट", "राशन **डी-मार्ट** में"),
    ]);
    none_mentioned(&[
        ("Coolblue", "a cool blue shirt"),
        ("Intouch", "Please Get In Touch with us."),
    ]);
}
