//! The legal forms of companies, which people leave out when they write a name.

/// Legal forms after a name, in lower case and without dots or spaces.
const FORMS: &str = "aktiengesellschaft bhd co company corp corporation doo eood gesmbh ggmbh gmbh group holding \
                     holdings inc incorporated jsc kft kgaa limited llc llp ltd ltda mbh nyrt ohg ooo oy oyj oü \
                     pjsc plc pte pty pvt sadecv sarl sdn sgps spzoo spółkazoo sro srl sàrl tbk zrt \
                     ао зао оао ооо пао";

/// Legal forms that are also words. They count if they have a dot, a slash or a capital after the first
/// letter: `SpA`, not `Spa`.
const FORMS_AND_WORDS: &str = "a/s ab ag aps as asa bv eg ev kg kk ks nv sa sas se sl spa ug";

/// Those of [`FORMS`] that are also words of a name. Acronyms have their initials: `BBC`.
const WORDS: &str = "company corporation group holding holdings";

/// Legal forms before a name, in lower case and without dots.
const LEADING_FORMS: &str = "ooo oü uab ао зао оао ооо пао";

/// Legal forms in scripts without spaces.
const JOINED_FORMS: &str = "株式会社 有限会社 股份有限公司 有限公司 주식회사 (주) ㈜";

/// What joins a name and its legal form: `GmbH & Co. KG`.
const JOINTS: &str = "& and und et +";

/// The maximum number of words of a legal form: `sp. z o. o.`.
const MAX_WORDS: usize = 4;

/// The maximum number of letters of a legal form of several words that must have a dot.
const MAX_LETTERS_APART: usize = 3;

/// Returns a name without the legal forms before and after it. A name that consists of legal forms is
/// returned as it is.
pub(super) fn without_legal_form(name: &str) -> String {
    without_forms(name, |_| true)
}

/// Returns a name as [`without_legal_form`] does, but with legal forms that are words of it, such as `Group`.
pub(super) fn without_short_form(name: &str) -> String {
    without_forms(name, |form| !is_in(WORDS, form))
}

fn without_forms(name: &str, is_removed: impl Fn(&str) -> bool) -> String {
    let joined = without_joined_form(name.trim());
    let mut words: Vec<&str> = joined.split_whitespace().collect();
    if words.len() > 1 && is_leading_form(words[0]) {
        words.remove(0);
    }
    while let Some(count) = form_words(&words, &is_removed) {
        words.truncate(words.len() - count);
        while words.len() > 1 && words.last().is_some_and(|word| is_in(JOINTS, word)) {
            words.pop();
        }
    }
    let rest = words.join(" ");
    let rest = rest.trim_end_matches([',', ';']).trim();
    unquoted(rest).to_owned()
}

/// Returns the number of words of the legal form at the end of `words`, or `None` if there is none or nothing
/// else.
fn form_words(words: &[&str], is_removed: impl Fn(&str) -> bool) -> Option<usize> {
    let longest = MAX_WORDS.min(words.len().checked_sub(1)?);
    (1..=longest).rev().find(|count| {
        let written = words[words.len() - count..].concat();
        let form = normalized(&written);
        // The last words of `Vitamin A B` are no `AB`.
        let is_one_form = *count == 1 || written.contains('.') || form.chars().count() > MAX_LETTERS_APART;
        is_one_form
            && is_removed(&form)
            && (is_in(FORMS, &form) || (is_in(FORMS_AND_WORDS, &form) && is_no_word(&written)))
    })
}

/// Returns whether a list, whose words are separated by spaces, has a word.
fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

fn is_leading_form(word: &str) -> bool {
    let is_capital = !word.contains(char::is_lowercase);
    is_capital && is_in(LEADING_FORMS, &normalized(word))
}

fn is_no_word(written: &str) -> bool {
    written.contains(['.', '/']) || written.chars().skip(1).any(char::is_uppercase)
}

/// Returns a written legal form in lower case without dots and brackets.
fn normalized(written: &str) -> String {
    written.to_lowercase().replace(['.', ',', ';', '(', ')'], "")
}

/// Returns a name without a legal form that no space separates: `株式会社メルカリ`.
fn without_joined_form(name: &str) -> &str {
    let mut forms = JOINED_FORMS.split(' ');
    let rest = forms.find_map(|form| name.strip_prefix(form).or_else(|| name.strip_suffix(form)));
    rest.map(str::trim)
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
}

/// Returns a name without the quotation marks around it: `ООО «Ромашка»`.
fn unquoted(name: &str) -> &str {
    let marks = [('"', '"'), ('«', '»'), ('“', '”'), ('„', '“'), ('„', '”')];
    let inner = marks.iter().find_map(|(open, close)| {
        let inner = name.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.trim().is_empty() && !inner.contains([*open, *close])).then_some(inner.trim())
    });
    inner.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_forms_of_many_countries_are_removed() {
        for (name, short) in [
            ("Acme Inc", "Acme"),
            ("Acme, Inc.", "Acme"),
            ("acme llc", "acme"),
            ("Acme (Pty) Ltd", "Acme"),
            ("Acme Co., Ltd.", "Acme"),
            ("Tiffany & Co.", "Tiffany"),
            ("Kärcher GmbH & Co. KG", "Kärcher"),
            ("Kärcher SE & Co. KG", "Kärcher"),
            ("Volkswagen AG", "Volkswagen"),
            ("Banco Santander, S.A.", "Banco Santander"),
            ("Barilla S. p. A.", "Barilla"),
            ("Ferrero SpA", "Ferrero"),
            ("Luxottica S.r.l.", "Luxottica"),
            ("Philips N.V.", "Philips"),
            ("Booking.com B.V.", "Booking.com"),
            ("Volvo AB", "Volvo"),
            ("Lego A/S", "Lego"),
            ("Pandora ApS", "Pandora"),
            ("Nokia Oyj", "Nokia"),
            ("Reaktor Oy", "Reaktor"),
            ("Allegro sp. z o.o.", "Allegro"),
            ("Allegro Sp. z o. o.", "Allegro"),
            ("Alza s.r.o.", "Alza"),
            ("Škoda Auto a.s.", "Škoda Auto"),
            ("Prezi Kft.", "Prezi"),
            ("Magyar Zrt", "Magyar"),
            ("ООО «Ромашка»", "Ромашка"),
            ("Яндекс ООО", "Яндекс"),
            ("ПАО Сбербанк", "Сбербанк"),
            ("Rolls-Royce Holdings PLC", "Rolls-Royce"),
            ("Atlassian Pty Ltd", "Atlassian"),
            ("Goldman Sachs Group, Inc.", "Goldman Sachs"),
            ("株式会社メルカリ", "メルカリ"),
            ("삼성전자 주식회사", "삼성전자"),
        ] {
            assert_eq!(without_legal_form(name), short, "{name}");
        }
    }

    #[test]
    fn what_only_looks_like_a_legal_form_remains() {
        for name in [
            "Blue Lagoon Spa",
            "Software as",
            "Inc",
            "Procter & Gamble",
            "SE Ranking",
            "Vitamin A B",
            "Ab",
        ] {
            assert_eq!(without_legal_form(name), name);
        }
    }

    #[test]
    fn a_word_of_the_name_remains_where_only_short_forms_are_removed() {
        assert_eq!(
            without_short_form("Boston Consulting Group, Inc."),
            "Boston Consulting Group"
        );
    }
}
