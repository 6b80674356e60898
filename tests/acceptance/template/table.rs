//! The table of the template matches the table of the store.

use std::collections::BTreeSet;

use store::table::{DUE_INDEX, DUE_PARTITION_KEY, DUE_SORT_KEY, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE};

use serde_yaml_ng::Value;

use super::{WITHOUT_TABLE, allowed, functions, template, template_with, text};

#[test]
fn the_templates_table_is_the_stores() {
    let template = template();
    let table = &template["Resources"]["Table"];
    assert_eq!(table["DeletionPolicy"], "Retain");
    let table = &table["Properties"];
    let schema = |keys: &Value| -> Vec<(String, String)> {
        let keys = keys.as_sequence().unwrap();
        keys.iter()
            .map(|k| (text(&k["AttributeName"]), text(&k["KeyType"])))
            .collect()
    };
    let pair = |hash: &str, range: &str| {
        vec![
            (hash.to_owned(), "HASH".to_owned()),
            (range.to_owned(), "RANGE".to_owned()),
        ]
    };
    assert_eq!(schema(&table["KeySchema"]), pair(PARTITION_KEY, SORT_KEY));
    let indexes = table["GlobalSecondaryIndexes"].as_sequence().unwrap();
    assert_eq!(indexes.len(), 1);
    assert_eq!(indexes[0]["IndexName"], DUE_INDEX);
    assert_eq!(
        schema(&indexes[0]["KeySchema"]),
        pair(DUE_PARTITION_KEY, DUE_SORT_KEY)
    );
    assert_eq!(indexes[0]["Projection"]["ProjectionType"], "KEYS_ONLY");
    let attributes = table["AttributeDefinitions"].as_sequence().unwrap().iter();
    let attributes: Vec<_> = attributes
        .map(|a| (text(&a["AttributeName"]), text(&a["AttributeType"])))
        .collect();
    let strings = [PARTITION_KEY, SORT_KEY, DUE_PARTITION_KEY, DUE_SORT_KEY];
    assert_eq!(attributes, strings.map(|name| (name.to_owned(), "S".to_owned())));
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(table["TimeToLiveSpecification"]["AttributeName"], TTL_ATTRIBUTE);
    assert_eq!(table["TimeToLiveSpecification"]["Enabled"], true);
    assert_eq!(
        table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"],
        true
    );
    assert_eq!(table["DeletionProtectionEnabled"], true);
}

#[test]
fn a_restored_table_takes_the_place_of_the_stacks_own_in_every_function_and_role() {
    let restored = template_with(&[("RestoredTable", "visibility-restored")]);
    for (template, name, arn) in [
        (template(), "Table", ["Table.Arn", "${Table.Arn}"]),
        (
            restored,
            "RestoredTable",
            ["arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${RestoredTable}"; 2],
        ),
    ] {
        let variables = &template["Globals"]["Function"]["Environment"]["Variables"];
        assert_eq!(variables["TABLE_NAME"], name);
        assert_eq!(template["Outputs"]["TableName"]["Value"], name);
        for (function, properties) in functions(&template) {
            if function == WITHOUT_TABLE {
                continue;
            }
            let resources: BTreeSet<String> = allowed(&template, &properties)
                .into_iter()
                .filter(|(action, _)| action.starts_with("dynamodb:"))
                .map(|(_, resource)| resource)
                .collect();
            let mut wanted = BTreeSet::from([arn[0].to_owned()]);
            if function == "checker" {
                wanted.insert(format!("{}/index/{DUE_INDEX}", arn[1]));
            }
            assert_eq!(resources, wanted, "{function}");
        }
    }
}
