//! Names and values of expressions. Every `#name` in an expression stands for the attribute of that name, so
//! attributes can be named like reserved words.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

pub(crate) type Values = Vec<(&'static str, AttributeValue)>;

/// A condition that is always true.
pub(crate) const ALWAYS: &str = "attribute_not_exists(PK) OR attribute_exists(PK)";

/// Returns the attribute names that the expressions use.
pub(crate) fn names(expressions: &[&str]) -> Option<HashMap<String, String>> {
    let mut found = HashMap::new();
    for expression in expressions {
        for part in expression.split('#').skip(1) {
            let end = part
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(part.len());
            found.insert(format!("#{}", &part[..end]), part[..end].to_owned());
        }
    }
    (!found.is_empty()).then_some(found)
}

pub(crate) fn values<N: Into<String>>(
    values: Vec<(N, AttributeValue)>,
) -> Option<HashMap<String, AttributeValue>> {
    (!values.is_empty()).then(|| {
        values
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect()
    })
}

pub(crate) fn string_value(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn number_value(number: impl std::fmt::Display) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn bool_value(flag: bool) -> AttributeValue {
    AttributeValue::Bool(flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_from_the_expressions() {
        let found = names(&[
            "SET #state = :s, #asks.#p1 = :n",
            "#state = :open AND size(#asks) < :n",
        ])
        .unwrap();
        let mut keys: Vec<&str> = found.keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["#asks", "#p1", "#state"]);
        assert_eq!(found["#p1"], "p1");
        assert!(names(&["attribute_exists(PK)"]).is_none());
    }
}
