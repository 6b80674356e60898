//! `/tags`.

use api::Method::{Delete, Get, Post};
use domain::limits::{MAX_TAG_CHARS, MAX_TAGS_PER_WORKSPACE};
use serde_json::{Value, json};

use crate::examples::{NOW, TAG};
use crate::operation::{Group, Operation};
use crate::parameters::required;
use crate::schema::{count, field, given_id, id, line, list, millis, object, reference, text};

pub(crate) fn group() -> Group {
    Group {
        tag: "Tags",
        description: "Names by which a workspace sorts its prompts; the filter `tags` takes their ids",
        operations: vec![all(), create(), delete()],
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let tag = object([
        field("id", id("", "The tag's id")),
        field("name", text("Its name")),
        field("createdAt", millis("When it was made")),
    ]);
    vec![("Tag", tag)]
}

fn example() -> Value {
    json!({"id": TAG, "name": "Launch", "createdAt": NOW})
}

fn all() -> Operation {
    Operation::new(
        Get,
        "/tags",
        "listTags",
        "The workspace's tags, in the order in which they came",
    )
    .extension()
    .response_fields(
        [
            field("data", list(reference("Tag"), "The tags")),
            field("count", count("How many are in `data`")),
        ],
        json!({"data": [example()], "count": 1}),
    )
    .link("deleteTag", json!({"tagId": "$response.body#/data/0/id"}))
}

fn create() -> Operation {
    let name = line(
        MAX_TAG_CHARS,
        "Unique in the workspace, whatever its case, accents and spaces",
    );
    Operation::new(Post, "/tags", "createTag", "Makes a tag")
        .extension()
        .description(format!("A workspace has at most {MAX_TAGS_PER_WORKSPACE} tags."))
        .request_body(object([field("name", name)]), json!({"name": "Launch"}))
        .response_fields([field("data", reference("Tag"))], json!({"data": example()}))
        .error(400, "name is required")
        .error(
            403,
            format!("The workspace's limit of {MAX_TAGS_PER_WORKSPACE} tags is reached"),
        )
        .error(409, "The workspace has a tag of this name already")
        .link("deleteTag", json!({"tagId": "$response.body#/data/id"}))
}

fn delete() -> Operation {
    let gone = object([field("tagId", id("", "The tag's id"))]);
    Operation::new(
        Delete,
        "/tags",
        "deleteTag",
        "Deletes a tag; prompts that carry it lose it",
    )
    .extension()
    .parameters([required("tagId", given_id("The tag's id"), TAG)])
    .response_fields([field("data", gone)], json!({"data": {"tagId": TAG}}))
    .error(400, "tagId is required")
    .error(404, "Tag not found")
}
