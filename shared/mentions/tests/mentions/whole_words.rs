//! The ways to write a name.

use crate::support::{all_mentioned, is_mentioned, none_mentioned};

#[test]
fn a_name_counts_as_complete_words() {
    all_mentioned(&[
        ("Zendo", "Zendo"),
        ("Zendo", "try Zendo."),
        ("Zendo", "ZENDO, Foo"),
        ("Zendo", "(Zendo)"),
        ("Zendo", "\"Zendo\" and “Foo”"),
        ("Zendo", "Foo/Zendo"),
        ("Zendo", "a Zendo-based tool"),
        ("Zendo", "#Zendo @Zendo"),
        ("Zendo", "Zendo—the tool"),
        ("Zendo", "Zendo…and Foo"),
        ("Zendo", "made by Zendo.The next one"),
        ("Zendo", "Zendo[1], Zendo¹"),
        ("EY", "an EY office"),
        ("EY", "l’EY"),
        ("X", "posts on X, too"),
    ]);
    none_mentioned(&[
        ("Zendo", "zendos"),
        ("Zendo", "aZendo"),
        ("Zendo", "Zendo2"),
        ("Zendo", "Zen do"),
        ("Zendo", "Zen-do"),
        ("Zendo", "Zendo\u{301}m"),
        ("Zendo", "zendo.js"),
        ("Zendo", "ZendoCloud"),
        ("HP", "PHP, HPE and hpx"),
        ("AT", "AT&T"),
        ("T", "AT&T, Don'T, T-shirt"),
        ("C", "C++ and C#, not c"),
        ("X", "an X-ray"),
        ("Can", "Can't"),
    ]);
}

#[test]
fn a_possessive_counts_and_a_plural_in_small_letters_does_not() {
    all_mentioned(&[
        ("Zendo", "Zendo's plans"),
        ("Zendo", "Zendo’s plans"),
        ("Zendos", "the Zendos' plans"),
    ]);
    none_mentioned(&[("Zendo", "many zendos"), ("Zendo", "Zendoes")]);
}

#[test]
fn adjacent_words_may_be_joined_or_hyphenated() {
    for name in ["Demand IQ", "Demand-IQ", "DemandIQ"] {
        for answer in [
            "Demand IQ",
            "Demand-IQ",
            "DemandIQ",
            "demandiq",
            "DEMAND IQ",
            "Demand\u{2011}IQ",
            "Demand\u{a0}IQ",
            "Demand\nIQ",
        ] {
            assert!(is_mentioned(name, answer), "{name} in {answer}");
        }
        for answer in [
            "Demand, IQ",
            "Demand - IQ",
            "Demand. IQ",
            "De mandiq",
            "Demand\n\nIQ",
            "Demand",
            "demand iqs",
        ] {
            assert!(!is_mentioned(name, answer), "{name} in {answer}");
        }
    }
    // A digit is not split off: `Step 2` of a guide is not the brand Step2.
    none_mentioned(&[
        ("Ze2", "Ze 2"),
        ("PayPal", "pay pal him"),
        ("TheFork", "The fork is there"),
    ]);
    all_mentioned(&[
        ("Zep 2", "Zep2"),
        ("PayPal", "Pay Pal"),
        ("PayPal", "paypal"),
        ("TheFork", "The Fork"),
    ]);
}

#[test]
fn accents_widths_and_invisible_characters_make_no_difference() {
    all_mentioned(&[
        ("Citroën", "a Citroen"),
        ("Citroen", "a CITROËN"),
        ("Nestlé", "Nestle\u{301} sells"),
        ("Ørsted", "Orsted"),
        ("Łódź Soft", "Lodz-Soft"),
        ("Ёлкин", "Елкин"),
        ("Όμιλος", "ΟΜΙΛΟΣ"),
        ("Groß", "a coat by GROSS"),
        ("Zendo", "Ｚｅｎｄｏ"),
        ("Zendo", "Zen\u{ad}do"),
        ("Zendo", "Zen\u{200d}do"),
        ("Zendo App", "Zendo® App™"),
        ("McDonald's", "McDonald’s"),
        ("McDonald‘s", "McDonald's"),
    ]);
    none_mentioned(&[("か", "が"), ("Zendo", "Zеndo")]); // the second has a Cyrillic letter
}

#[test]
fn names_with_signs_count_with_their_signs() {
    all_mentioned(&[
        ("Yahoo!", "Yahoo! is"),
        ("Yahoo!", "the Yahoo!’s page"),
        ("C&A", "C&A, c&a"),
        ("C&A", "C&amp;A"),
        ("C&A", "C & A"),
        (".NET", "in .NET 8"),
        (".NET", ".NET"),
        ("AT&T", "AT&T's"),
        ("C++", "C++ and"),
        ("Canal+", "**Canal+**"),
        ("E*TRADE", "E\\*TRADE"),
        ("Node.js", "Node.js is"),
        ("Booking.com", "Booking.com has"),
        ("Which?", "Which? tested"),
        ("Yahoo!", "Yahoo is"),
    ]);
    none_mentioned(&[
        ("Which?", "Which is"),
        (".NET", "ASP.NET"),
        (".NET", "the NET"),
        ("C++", "C++11"),
        ("C&A", "C, A"),
        ("C&A", "BC&A"),
        ("Node.js", "Node.jsx"),
    ]);
}

#[test]
fn scripts_without_word_spaces_need_no_boundaries() {
    all_mentioned(&[
        ("資生堂", "私は資生堂銀座で買う"),
        ("楽天 市場", "私は楽天市場で"),
        ("ソニー", "ソニーの"),
        ("Zendo", "今日はZendoを使う"),
        ("华为", "推荐华为手机"),
        ("네이버", "네이버에서"),
        ("ช้อปปี้", "ซื้อที่ช้อปปี้ได้"),
        ("デマンド アイ", "デマンド・アイ"),
    ]);
    none_mentioned(&[("กร", "กรุงเทพ"), ("가", "각"), ("Zendo", "今日はXZendoを")]);
}

#[test]
fn emphasis_does_not_split_a_name_and_structure_does() {
    all_mentioned(&[
        ("Zendo Cloud", "**Zendo** Cloud"),
        ("Zendo Cloud", "*Zendo* **Cloud**"),
        ("Zendo Cloud", "**Zendo **Cloud"),
        ("Zendo Cloud", "[Zendo](https://z.com) Cloud"),
        ("Zendo", "# Zendo"),
        ("Zendo", "| Tool |\n|---|\n| Zendo |"),
        ("Zendo", "1. __Zendo__: good"),
        ("Zendo", "use `Zendo`"),
        ("Zendo", "~~Zendo~~"),
        ("Zendo", "```\nZendo\n```"),
        ("Zendo", "```markdown\n- Zendo\n```"),
        ("Zendo", "Zendo[^1] is\n\n[^1]: Foo"),
        ("Zendo", "Zendo<sup>1</sup>"),
        ("Zendo", "Zendo<SUP>beta</SUP> and <sup>1</sup>Foo"),
        ("Zendo", "<b>Zen</b>do"),
        ("Zendo", "<p>Zendo<sup>1</sup></p>"),
        ("Zendo Cloud", "<p><b>Zendo</b> Cloud</p>"),
        ("Zendo Cloud", "Zendo<sup>®</sup> Cloud"),
    ]);
    none_mentioned(&[
        ("Zendo Cloud", "| Zendo | Cloud |\n|---|---|\n| a | b |"),
        ("Zendo Cloud", "- Zendo\n- Cloud"),
        ("Zendo Cloud", "<tr><td>Zendo</td><td>Cloud</td></tr>"),
        ("Zendo Cloud", "x <li>Zendo</li><li>Cloud</li>"),
        ("Zendo Cloud", "Zendo  \nCloud"),
        ("Zendo", "```python\nimport zendo\n```"),
        ("Zendo", "<img alt=\"Zendo\">"),
    ]);
}
