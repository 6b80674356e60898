//! Names that are hard to find: short names, names with signs, in other scripts and in disguise.

use crate::support::{all_mentioned, brand, none_mentioned, reason};
use mentions::RejectionReason;

#[test]
fn a_short_name_is_found_beside_signs_and_not_in_other_words() {
    all_mentioned(&[
        ("HP", "HP®, HP’s and “HP”"),
        ("EY", "EY–Parthenon"),
        ("EY", "EY‑Parthenon"),
        ("3M", "Scotch (3M), ３Ｍ"),
        ("O2", "O₂"),
        ("1&1", "1&amp;1 hosting, 1 & 1"),
        ("H&M", "H＆M"),
        ("C#", "in C#."),
        ("X", "X's"),
    ]);
    none_mentioned(&[
        ("EY", "they have a key, hey"),
        ("3M", "33M, 1.3M, 1,3M, $3M, 3Mbps, v3M"),
        ("GE", "GEICO's age"),
        ("O2", "CO2, CO₂, H2O2, O2O"),
        ("1&1", "11, 1&10, 21&1"),
        ("G2", "G20, G2A"),
        ("C#", "C is"),
        ("H&M", "HM, H. M. Smith"),
        ("C&A", "Vitamin C and A"),
    ]);
}

#[test]
fn signs_in_a_name_may_be_written_in_each_of_their_forms() {
    all_mentioned(&[
        ("Toys \"R\" Us", "Toys “R” Us’s, toys «r» us"),
        ("Toys \"R\" Us", "Toys &quot;R&quot; Us"),
        ("Dr. Oetker", "Dr.Oetker"),
        ("Dr. Oetker", "Dr.\u{a0}Oetker"),
        ("L'Oréal", "L´Oreal"),
        ("L'Oréal", "L`Oréal"),
        ("L'Oréal", "L&rsquo;Or&eacute;al"),
        ("Ben & Jerry's", "Ben&Jerry’s"),
        ("E*TRADE", "E*Trade, E-Trade"),
        ("E*TRADE", "*E*TRADE* is"),
        ("Booking.com", "Booking\\.com's"),
        ("7-Eleven", "7 Eleven"),
        ("Disney+", "Disney+’s"),
        ("P!nk", "P!nk sings"),
        ("McDonald's", "McDonalds sells"),
        ("De'Longhi", "De Longhi sells"),
        ("いきなり！ステーキ", "いきなりステーキがお得です"),
        ("Вкусно — и точка", "остаётся «Вкусно и точка»"),
        ("בזן", "קבוצת בז״ן"),
        ("ธ.ก.ส.", "ติดต่อ ธกส สาขา"),
    ]);
    none_mentioned(&[
        ("monday.com", "on Monday."),
        ("Demand IQ", "Demand_IQ, Demand/IQ, Demand & IQ"),
    ]);
}

#[test]
fn a_possessive_may_contain_markup() {
    all_mentioned(&[
        ("Zendo", "**Zendo**'s"),
        ("Zendo", "[Zendo](https://a.com)’s"),
        ("Zendo", "ZENDO′S"),
        ("Zendo", "Zendo&#39;s"),
        ("Hermès", "Hermes’ bags, HERMES'"),
    ]);
    none_mentioned(&[("Zendo", "zendos’"), ("Zendo", "Zendoism")]);
}

#[test]
fn names_in_other_scripts_are_found_where_words_may_touch() {
    all_mentioned(&[
        ("ソニー", "ｿﾆｰ製"),
        ("セブン-イレブン", "セブンイレブンで"),
        ("微信 Pay", "微信Pay很好"),
        ("SKT", "SKT전자, SKT的, SKTの"),
        ("กสิกร", "ธนาคารกสิ\u{200b}กรไทย"),
        ("Σκλαβενίτης", "ΣΚΛΑΒΕΝΙΤΗΣ"),
        ("Йотам", "И\u{306}отам"),
        ("Яндекс", "Яндекс-Маркет"),
        ("İşbank", "ISBANK, ışbank"),
        ("Yapı Kredi", "YAPI KREDİ"),
        ("Æther", "AETHER"),
        ("Bosch", "die Bosch‑Waschmaschine"),
        ("أرامكو", "«أرامكو»، سابك"),
        ("שופרסל", "שופרסל-אונליין"),
        // Vowel signs, the hamza of an alif and the nukta may be left out.
        ("שופרסל", "שׁוּפֶרְסַל"),
        ("أرامكو", "ارامكو"),
        ("الوطنية", "الوطنيّة"),
        ("अमेज़न", "अमेजन"),
        ("Zendo", "ב־Zendo, ל-Zendo"),
        ("Zendo", "بـZendo"),
        ("Zendo", "\u{200f}Zendo\u{200f}"),
    ]);
    // Derived words are other words.
    none_mentioned(&[
        ("Bosch", "ein Boschgerät"),
        ("Яндекс", "яндексовский"),
        ("华为", "华 为"),
    ]);
}

#[test]
fn what_a_reader_does_not_see_does_not_hide_a_name() {
    all_mentioned(&[
        ("Zendo", "Zen\u{200b}do"),
        ("Zendo", "Zen&#8203;do"),
        ("Zendo", "see\u{200b}Zendo\u{200b}here"),
        ("Zendo Cloud", "Zendo\u{200b}Cloud"),
        ("Zendo", "Zen&shy;do, \u{2060}Zendo\u{feff}"),
        ("Zendo", "1️⃣Zendo 👍🏽Zendo★★"),
        ("Zendo", "𝐙𝐞𝐧𝐝𝐨"),
        ("fiverr", "\u{fb01}verr"),
        ("Zendo", "&#90;endo, &lt;Zendo&gt;"),
        ("Zendo", "![a chart by Zendo](x.png)"),
        ("Zendo", "[the `Zendo` tool](https://a.com)"),
        ("Zendo", "<a href=\"https://a.com\">Zendo</a>"),
        ("Zendo", "$Zendo$, ==Zendo=="),
        ("Zendo Cloud", "| Zendo<br>Cloud | $1 |"),
    ]);
    none_mentioned(&[
        ("Zendo", "<!-- Zendo -->"),
        ("Zendo", "[x](https://a.com \"Zendo\")"),
        ("Zendo Cloud", "# Zendo\nCloud"),
        ("Zendo Cloud", "> Zendo\n\nCloud"),
        ("Zendo Cloud", "|a|b|\n|-|-|\n|x|Zendo|\n|Cloud|y|"),
    ]);
    assert_eq!(
        reason(
            brand(0, "Zendo", &[], None),
            "<a href=\"https://a.com/Zendo\">x</a>"
        ),
        Some(RejectionReason::LinkOnly)
    );
}
