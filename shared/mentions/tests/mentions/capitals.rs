//! Common words whose capitals prove nothing, and what shows that they are a name.

use crate::support::{all_mentioned, brand, none_mentioned};
use mentions::Matcher;

#[test]
fn a_capital_that_its_place_explains_is_no_name() {
    none_mentioned(&[
        ("Target", "Target audience: parents of young children."),
        ("Target", "## Target Groups and Goals\n\nDefine them first."),
        ("Monday", "The shop is closed on Monday and on Sunday."),
        (
            "Target",
            "| Mục | Ví dụ |\n|---|---|\n| Target market | Nữ 22–35 tuổi |\n| Key message | Da khỏe từ gốc |",
        ),
        (
            "Monday",
            "ساعات العمل:\n\n- Sunday: 9:00–17:00\n- Monday: 9:00–17:00\n- Friday: مغلق",
        ),
        ("Square", "| Room | Square |\n|---|---|\n| Hall | 20 |"),
        ("Uber", "Über die Kosten wird oft gestritten, und das ist gut so."),
        ("Spiegel", "Im Bad hängt ein Spiegel, der nicht teuer ist."),
        (
            "Магнит",
            "Магнит на холодильник стоит недорого, и его легко снять.",
        ),
    ]);
}

#[test]
fn common_words_are_a_name_if_something_in_the_answer_shows_it() {
    all_mentioned(&[
        ("Target", "Most people buy it at Target or online."),
        ("Target", "Try big retailers such as Target."),
        ("Target", "Target's prices are low."),
        (
            "Siemens",
            "- **Garantie:** Siemens’ Herstellergarantie beträgt zwei Jahre\n- **Ersatzteile:** zehn Jahre lieferbar",
        ),
        (
            "Target",
            "- **Walmart**: cheap\n- **Target**: stylish\n- **Costco**: bulk",
        ),
        ("Target", "Target offers free delivery."),
        ("Target", "Target Circle is free."),
        ("Магнит", "Дешевле всего крупы в «Магните» или на рынке."),
        (
            "Netto",
            "Günstig ist es in den Netto-Filialen, aber nicht in der Stadt.",
        ),
    ]);
    let target = Matcher::new(&[brand(0, "Target", &[], Some("target.com"))]);
    let linked = "Target: 20 % off ([source](https://target.com/deals)).";
    assert_eq!(target.find(linked).mentioned.len(), 1);
}

#[test]
fn names_are_compared_with_the_words_of_the_answers_language() {
    none_mentioned(&[
        ("Claro", "Está claro que no hay una opción mejor para todos."),
        (
            "Carrefour",
            "Tournez à gauche au carrefour, puis prenez la rue de la gare.",
        ),
        ("Netto", "Das sind netto 20 Euro, und brutto sind es mehr."),
        ("小米", "早餐可以喝一碗小米粥，再吃一个鸡蛋。"),
    ]);
}
