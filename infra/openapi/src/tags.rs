//! Describes the operations of `/tags`.

use ::prompts::tags::create::CreateTagResponse;
use ::prompts::tags::delete::DeleteTagResponse;
use ::prompts::tags::list::ListTagsResponse;
use api::Method::{Delete, Get, Post};
use domain::limits::MAX_TAGS_PER_WORKSPACE;
use serde_json::{Value, json};

use crate::examples::{NOW, TAG};
use crate::operation::{Operation, Tag};

pub(crate) fn tag() -> Tag {
    Tag {
        name: "Tags",
        description: "Labels for the prompts of a workspace. The filter `tags` accepts their ids.",
        operations: vec![list(), create(), delete()],
    }
}

fn example() -> Value {
    json!({"id": TAG, "name": "Launch", "createdAt": NOW})
}

fn list() -> Operation {
    Operation::new(Get, "/tags", "listTags", "The workspace's tags, oldest first")
        .extension()
        .response::<ListTagsResponse<'_>>(json!({"data": [example()], "count": 1}))
        .link("deleteTag", json!({"tagId": "$response.body#/data/0/id"}))
}

fn create() -> Operation {
    Operation::new(Post, "/tags", "createTag", "Creates a tag")
        .extension()
        .description(format!(
            "A workspace can have at most {MAX_TAGS_PER_WORKSPACE} tags."
        ))
        .request_body(json!({"name": "Launch"}))
        .response::<CreateTagResponse<'_>>(json!({"data": example()}))
        .error(400, "name is required")
        .error(
            403,
            format!("The workspace's limit of {MAX_TAGS_PER_WORKSPACE} tags is reached"),
        )
        .error(409, "The workspace has a tag of this name already")
        .link("deleteTag", json!({"tagId": "$response.body#/data/id"}))
}

fn delete() -> Operation {
    Operation::new(
        Delete,
        "/tags",
        "deleteTag",
        "Deletes a tag and removes it from its prompts",
    )
    .extension()
    .response::<DeleteTagResponse>(json!({"data": {"tagId": TAG}}))
    .error(400, "tagId is required")
    .error(404, "Tag not found")
}
