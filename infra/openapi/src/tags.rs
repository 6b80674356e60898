//! Describes the operations of `/tags`.

use ::prompts::tags::create::CreateTagResponse;
use ::prompts::tags::delete::DeleteTagResponse;
use ::prompts::tags::list::ListTagsResponse;
use domain::limits::MAX_TAGS_PER_WORKSPACE;
use serde_json::{Value, json};
use store::TagError;

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
    Operation::new("listTags", "The workspace's tags, oldest first")
        .extension()
        .response::<ListTagsResponse<'_>>(json!({"data": [example()], "count": 1}))
        .link("deleteTag", "tagId", "$response.body#/data/0/id")
}

fn create() -> Operation {
    Operation::new("createTag", "Creates a tag")
        .extension()
        .description(format!(
            "A workspace can have at most {MAX_TAGS_PER_WORKSPACE} tags."
        ))
        .request_body(json!({"name": "Launch"}))
        .response::<CreateTagResponse<'_>>(json!({"data": example()}))
        .refusal(TagError::TagLimit)
        .refusal(TagError::NameTaken)
        .link("deleteTag", "tagId", "$response.body#/data/id")
}

fn delete() -> Operation {
    Operation::new("deleteTag", "Deletes a tag and removes it from its prompts")
        .extension()
        .response::<DeleteTagResponse>(json!({"data": {"tagId": TAG}}))
}
