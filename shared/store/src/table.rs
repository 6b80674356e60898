//! The definition of the table. `template.yaml` declares the same one.

use aws_sdk_dynamodb::operation::create_table::CreateTableError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType, TimeToLiveSpecification,
};

use crate::{Store, StoreError};

/// The attribute with the partition key.
pub const PARTITION_KEY: &str = "PK";
/// The attribute with the sort key.
pub const SORT_KEY: &str = "SK";
/// The attribute with the Unix seconds from which on an item counts as absent.
pub const TTL_ATTRIBUTE: &str = "expiresAt";

/// The sparse index of the entities that a tick processes.
pub const DUE_INDEX: &str = "due";
/// The attribute with the partition key of the due index.
pub const DUE_PARTITION_KEY: &str = "duePK";
/// The attribute with the sort key of the due index.
pub const DUE_SORT_KEY: &str = "dueSK";

impl Store {
    /// Creates the table unless it exists. Only the local host and the tests use this; in AWS the template
    /// creates it.
    pub async fn create_table(&self) -> Result<(), StoreError> {
        let created = self
            .db
            .create_table()
            .table_name(&self.table)
            .billing_mode(BillingMode::PayPerRequest)
            .set_attribute_definitions(Some(
                [PARTITION_KEY, SORT_KEY, DUE_PARTITION_KEY, DUE_SORT_KEY]
                    .into_iter()
                    .map(attribute)
                    .collect::<Result<_, _>>()?,
            ))
            .set_key_schema(Some(key_schema(PARTITION_KEY, SORT_KEY)?))
            .global_secondary_indexes(
                GlobalSecondaryIndex::builder()
                    .index_name(DUE_INDEX)
                    .set_key_schema(Some(key_schema(DUE_PARTITION_KEY, DUE_SORT_KEY)?))
                    .projection(
                        Projection::builder()
                            .projection_type(ProjectionType::KeysOnly)
                            .build(),
                    )
                    .build()
                    .map_err(|e| StoreError::internal("building the table definition", e))?,
            )
            .send()
            .await;
        match created {
            Ok(_) => {}
            Err(e)
                if e.as_service_error()
                    .is_some_and(CreateTableError::is_resource_in_use_exception) =>
            {
                return Ok(());
            }
            Err(e) => return Err(e.into()),
        }
        let ttl = TimeToLiveSpecification::builder()
            .attribute_name(TTL_ATTRIBUTE)
            .enabled(true)
            .build()
            .map_err(|e| StoreError::internal("building the table definition", e))?;
        self.db
            .update_time_to_live()
            .table_name(&self.table)
            .time_to_live_specification(ttl)
            .send()
            .await?;
        Ok(())
    }
}

fn attribute(name: &str) -> Result<AttributeDefinition, StoreError> {
    AttributeDefinition::builder()
        .attribute_name(name)
        .attribute_type(ScalarAttributeType::S)
        .build()
        .map_err(|e| StoreError::internal("building the table definition", e))
}

fn key_schema(partition: &str, sort: &str) -> Result<Vec<KeySchemaElement>, StoreError> {
    [(partition, KeyType::Hash), (sort, KeyType::Range)]
        .into_iter()
        .map(|(name, kind)| {
            KeySchemaElement::builder()
                .attribute_name(name)
                .key_type(kind)
                .build()
                .map_err(|e| StoreError::internal("building the table definition", e))
        })
        .collect()
}
