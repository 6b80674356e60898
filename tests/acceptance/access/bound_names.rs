//! What a key that is bound to entities may set and see of names and tags: over HTTP, in tables and through
//! the tools.

use acceptance::{Account, FakeOpenAi, ProviderReply, World, answer};
use domain::id::EntityId;
use domain::key_scope::{KeyAccess, KeyScope};
use domain::name_request::ReviewDecision;
use reqwest::Method;
use serde_json::{Value, json};
use store::{ReviewError, WriteError};

use crate::tags;

/// Names that the workspace's owner has typed. No answer contains them: it contains an alias.
const HIDDEN: [&str; 2] = ["Zebra Codename", "Jane Hidden"];

struct Workspace {
    world: World,
    owner: Account,
    acme: String,
    zebra: String,
    jane: String,
}

impl Workspace {
    /// Tracks three brands, of which the answers to the first one's prompts name the two others and cite one.
    async fn start() -> Self {
        let provider = FakeOpenAi::start(|_| {
            let pages = ["https://beta.com/a", "https://news.example/b"];
            ProviderReply::from(answer(
                "Zorblat leads, and Kalimba follows.",
                &pages,
                &["best crm"],
            ))
        })
        .await;
        let world = World::asking(&provider).await;
        let owner = world.account().await;
        let idle = json!({"startTracking": false});
        let zebra = world
            .entity(&owner, HIDDEN[0], "beta.com", &[], idle.clone())
            .await;
        let person = json!({"trackingType": "individual", "domain": null, "startTracking": false});
        let jane = world.entity(&owner, HIDDEN[1], "", &[], person).await;
        for (id, alias) in [(&zebra, "Zorblat"), (&jane, "Kalimba")] {
            let body = json!({"entityId": id, "aliases": [alias]});
            world.patch(&owner, "/entities", &body).await.ok();
        }
        let prompts: Vec<String> = (0..24).map(|n| format!("Which {n}?")).collect();
        let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
        let acme = world
            .entity(&owner, "Acme", "acme.com", &prompts, json!({}))
            .await;
        world.checked(&owner, &acme).await;
        Self {
            world,
            owner,
            acme,
            zebra,
            jane,
        }
    }

    async fn bound(&self, entities: &[&str]) -> Account {
        let entities: Vec<EntityId> = entities.iter().map(|id| id.parse().unwrap()).collect();
        let scope = KeyScope {
            access: KeyAccess::Write,
            entities: Some(entities.into_iter().collect()),
        };
        self.world.account_with_scope(&self.owner, scope).await
    }

    /// Returns everything that a key can read of the first entity.
    async fn everything_read(&self, account: &Account) -> Vec<(String, String)> {
        let mut seen = Vec::new();
        let of_entity = format!("entityId={}", self.acme);
        let responses = self
            .world
            .get(account, &format!("/responses?{of_entity}&limit=1"))
            .await
            .ok();
        let response = responses["data"][0]["responseId"].as_str().unwrap();
        let cited = self
            .world
            .get(account, &format!("/entities/citations?{of_entity}"))
            .await
            .ok();
        let cited = cited["data"][0]["entityUuid"].as_str().unwrap();
        let paths = [
            format!("/entities/competitors?{of_entity}"),
            format!("/entities/citations?{of_entity}"),
            format!("/entities/citations/details?{of_entity}&citedEntityUuid={cited}"),
            format!("/trends/citations?{of_entity}"),
            format!("/trends/compare?{of_entity}&period=7d"),
            format!("/entities/overview?{of_entity}"),
            format!("/entities/actions?{of_entity}"),
            format!("/responses?{of_entity}"),
            format!("/responses/details?responseId={response}"),
            format!("/query-fanouts?{of_entity}"),
            format!("/entities/prompts?{of_entity}"),
            "/entities".to_owned(),
            "/tags".to_owned(),
            "/domain-groups".to_owned(),
        ];
        for path in paths {
            let read = self.world.get(account, &path).await;
            seen.push((path.clone(), read.ok().to_string()));
            let joint = if path.contains('?') { '&' } else { '?' };
            let path = format!("{path}{joint}format=csv");
            let table = self
                .world
                .request(Method::GET, &path)
                .bearer_auth(&account.key)
                .send()
                .await
                .unwrap();
            let is_table = table.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/csv");
            if is_table {
                seen.push((path, table.text().await.unwrap()));
            }
        }
        let entity = json!({"entityId": self.acme});
        for (tool, arguments) in [
            ("rivals", entity.clone()),
            ("cited_domains", entity.clone()),
            ("citation_trend", entity.clone()),
            ("compare", entity.clone()),
            ("overview", json!({})),
            ("recommendations", entity.clone()),
            ("list_answers", entity),
            ("read_answer", json!({"responseId": response})),
        ] {
            let result = self.world.call_tool(account, tool, &arguments).await;
            assert!(!result.is_error, "{tool}: {}", result.text);
            seen.push((tool.to_owned(), format!("{} {}", result.text, result.content)));
        }
        seen
    }

    /// Returns the actionable that names a rival.
    async fn lead(&self, account: &Account, uuid: &str) -> Value {
        let path = format!("/entities/actions?entityId={}&status=active", self.acme);
        let board = self.world.get(account, &path).await.ok();
        let leads = board["data"]["actionables"].as_array().unwrap();
        let of_rival = |of: &&Value| of["metadata"]["rival"]["entityUuid"] == uuid;
        leads
            .iter()
            .find(of_rival)
            .unwrap_or_else(|| panic!("{board}"))
            .clone()
    }

    async fn uuid(&self, entity: &str) -> String {
        let id: EntityId = entity.parse().unwrap();
        let store = &self.world.host.store;
        let entity = store.entity(&self.owner.tenant, &id).await.unwrap().unwrap();
        entity.brand.to_string()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bound_key_reads_no_name_of_an_entity_out_of_its_reach_anywhere() {
    let workspace = Workspace::start().await;
    let owner = &workspace.owner;
    let all: Vec<(String, String)> = workspace.everything_read(owner).await;
    for name in HIDDEN {
        let places = all.iter().filter(|(_, text)| text.contains(name)).count();
        assert!(places >= 10, "{name} is in {places} places for the owner");
    }
    let bound = workspace.bound(&[&workspace.acme]).await;
    let seen = workspace.everything_read(&bound).await;
    assert_eq!(seen.len(), all.len(), "the same endpoints, tables and tools");
    for (place, text) in &seen {
        for name in HIDDEN {
            assert!(!text.contains(name), "{name} is in {place}: {text}");
        }
    }
    let rivals = &seen
        .iter()
        .find(|(place, _)| place.starts_with("/entities/competitors"))
        .unwrap()
        .1;
    assert!(
        rivals.contains("beta.com") && rivals.contains("another brand"),
        "{rivals}"
    );

    let both = workspace.bound(&[&workspace.acme, &workspace.zebra]).await;
    let seen = workspace.everything_read(&both).await;
    let places = |name: &str| seen.iter().filter(|(_, text)| text.contains(name)).count();
    assert!(places(HIDDEN[0]) >= 10, "it reaches this one");
    assert_eq!(places(HIDDEN[1]), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recommendations_and_tasks_name_a_brand_only_to_who_reaches_it() {
    let workspace = Workspace::start().await;
    let (world, owner) = (&workspace.world, &workspace.owner);
    let bound = workspace.bound(&[&workspace.acme]).await;
    for (entity, name, shown) in [
        (&workspace.zebra, HIDDEN[0], "beta.com"),
        (&workspace.jane, HIDDEN[1], "another brand"),
    ] {
        let uuid = workspace.uuid(entity).await;
        let (own, hidden) = (
            workspace.lead(owner, &uuid).await,
            workspace.lead(&bound, &uuid).await,
        );
        assert_eq!(own["metadata"]["rival"]["name"], name);
        assert_eq!(hidden["metadata"]["rival"]["name"], shown);
        for field in ["title", "description"] {
            let (own, hidden) = (own[field].as_str().unwrap(), hidden[field].as_str().unwrap());
            assert_eq!(own.replace(name, shown), hidden);
            assert!(own.contains(name));
        }
        let body = json!({"actionableId": hidden["id"]});
        let created = world
            .post(&bound, "/entities/actions/create-task", &body)
            .await
            .ok();
        assert_eq!(created["data"]["title"], hidden["title"]);
        let path = format!("/entities/actions?entityId={}", workspace.acme);
        for (account, title) in [(owner, &own["title"]), (&bound, &hidden["title"])] {
            let board = world.get(account, &path).await.ok();
            let tasks = board["data"]["tasks"].as_array().unwrap();
            let task = tasks
                .iter()
                .find(|task| task["id"] == created["data"]["id"])
                .unwrap();
            assert_eq!(task["title"], *title);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bound_key_sets_no_alias_and_asks_for_names_instead() {
    let workspace = Workspace::start().await;
    let (world, owner) = (&workspace.world, &workspace.owner);
    let bound = workspace.bound(&[&workspace.acme]).await;
    let aliases = |of: &Value| of["data"].as_array().unwrap()[0]["aliases"].clone();
    let before = world.get(&bound, "/entities").await.ok();
    for given in [json!(["Zorblat"]), json!(["Free"]), json!([])] {
        let body = json!({"entityId": workspace.acme, "aliases": given, "description": "Changed"});
        let error = world.patch(&bound, "/entities", &body).await.error(403);
        assert!(
            error.contains("aliases") && error.contains("POST /entities/name-request"),
            "{error}"
        );
    }
    assert_eq!(world.get(&bound, "/entities").await.ok(), before);
    let body = json!({"entityId": workspace.acme, "description": "Changed"});
    world.patch(&bound, "/entities", &body).await.ok();

    let ask = async |account: &Account, name: &str, aliases: Value| {
        let body = json!({"entityId": workspace.acme, "suggestedName": name, "aliases": aliases});
        world.post(account, "/entities/name-request", &body).await
    };
    for (name, aliases, field) in [
        ("ZEBRA  codename", json!([]), "suggestedName"),
        ("Acme", json!(["Fine", "zorblat"]), "aliases"),
        ("Acme", json!(["Beta.com"]), "aliases"),
    ] {
        let error = ask(&bound, name, aliases).await.error(409);
        assert!(error.starts_with(&format!("{field} must not have")), "{error}");
    }
    let filed = ask(&bound, "Acme", json!(["Acme Inc", "acme inc", "AC"]))
        .await
        .ok();
    assert_eq!(filed["data"]["aliases"], json!(["Acme Inc", "AC"]));
    assert_eq!(
        aliases(&world.get(&bound, "/entities").await.ok()),
        json!([]),
        "not before the review"
    );
    let id: EntityId = workspace.acme.parse().unwrap();
    let store = &world.host.store;
    store
        .review_name(&owner.tenant, &id, ReviewDecision::Approve, "")
        .await
        .unwrap();
    assert_eq!(
        aliases(&world.get(&bound, "/entities").await.ok()),
        json!(["Acme Inc", "AC"])
    );

    // Between the request and its review, another brand gets the alias.
    ask(&bound, "Acme", json!(["Late"])).await.ok();
    let body = json!({"entityId": workspace.zebra, "aliases": ["Zorblat", "LATE"]});
    world.patch(owner, "/entities", &body).await.ok();
    let refused = store
        .review_name(&owner.tenant, &id, ReviewDecision::Approve, "")
        .await;
    assert!(
        matches!(refused, Err(WriteError::Refused(ReviewError::NameTaken(_)))),
        "{refused:?}"
    );
    store
        .review_name(&owner.tenant, &id, ReviewDecision::Reject, "")
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_of_another_brand_is_refused_as_alias_and_accepted_with_a_word_at_a_creation() {
    let workspace = Workspace::start().await;
    let (world, owner) = (&workspace.world, &workspace.owner);
    let set = async |entity: &str, aliases: Value| {
        let body = json!({"entityId": entity, "aliases": aliases});
        world.patch(owner, "/entities", &body).await
    };
    for taken in ["zebra codename", "ZORBLAT", "beta.com", "Kalimba", "jane HIDDEN"] {
        let error = set(&workspace.acme, json!(["Fine", taken])).await.error(409);
        assert!(error.starts_with("aliases") && error.contains(taken), "{error}");
    }
    let idle = json!({"startTracking": false});
    let shop = world.entity(owner, "Beta Shop", "beta.com/shop", &[], idle).await;
    set(&shop, json!(["Zorblat"])).await.ok();
    let create = async |name: &str, domain: &str| {
        let model = world.model(owner).await;
        let body = json!({"name": name, "domain": domain, "models": [model], "generatePrompts": false});
        let created = world.post(owner, "/entities", &body).await.ok();
        (
            created["data"]["id"].as_str().unwrap().to_owned(),
            created["message"].as_str().unwrap().to_owned(),
        )
    };
    let (twin, message) = create("zebra CODENAME", "twin.com").await;
    assert!(message.contains("mention of both"), "{message}");
    let (_, message) = create("Unlike", "unlike.com").await;
    assert!(!message.contains("both"), "{message}");
    // The name that both have is no hindrance to other aliases.
    set(&twin, json!(["Twin"])).await.ok();
    let late = set(&workspace.acme, json!(["TWIN"])).await.error(409);
    assert!(late.contains("TWIN"), "{late}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_changes_to_the_same_alias_one_takes_effect() {
    let world = World::start().await;
    let account = world.account().await;
    let mut entities = Vec::new();
    for n in 0..6 {
        let idle = json!({"startTracking": false});
        entities.push(
            world
                .entity(
                    &account,
                    &format!("Brand {n}"),
                    &format!("brand{n}.com"),
                    &[],
                    idle,
                )
                .await,
        );
    }
    let changes = entities.iter().map(|entity| {
        let body = json!({"entityId": entity, "aliases": ["Shared"]});
        let (world, account) = (&world, &account);
        async move { world.patch(account, "/entities", &body).await.status }
    });
    let mut statuses = futures::future::join_all(changes).await;
    statuses.sort_unstable();
    // Who gives up on the conflicts of the others is asked to repeat.
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses[1..].iter().all(|status| [409, 503].contains(status)),
        "{statuses:?}"
    );
    let listed = world.get(&account, "/entities").await.ok();
    let with_alias = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entity| entity["aliases"] == json!(["Shared"]));
    assert_eq!(with_alias.count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tag_that_a_bound_key_does_not_see_is_unknown_to_it() {
    let workspace = Workspace::start().await;
    let (world, owner) = (&workspace.world, &workspace.owner);
    let bound = workspace.bound(&[&workspace.acme]).await;
    let (seen, unseen) = (
        tags::create(world, owner, "Seen").await,
        tags::create(world, owner, "Unseen").await,
    );
    let of_zebra = json!({"entityId": workspace.zebra, "prompts": ["Which?"], "tags": [unseen]});
    world.post(owner, "/entities/addprompt", &of_zebra).await.ok();
    let add = async |account: &Account, tag: &str| {
        let body = json!({"entityId": workspace.acme, "prompts": [format!("Tagged {tag}?")], "tags": [tag]});
        world.post(account, "/entities/addprompt", &body).await
    };
    let added = add(owner, &seen).await.ok();
    let flipped = if unseen.starts_with('0') { '1' } else { '0' };
    let unknown = format!("{flipped}{}", &unseen[1..]);
    let errors = [
        add(&bound, &unseen).await.error(400),
        add(&bound, &unknown).await.error(400),
    ];
    assert_eq!(errors[0], errors[1]);
    add(&bound, &seen).await.ok();
    let prompt = &added["promptIds"][0];
    let update = async |tag: &str| {
        let body = json!({"promptId": prompt, "tags": [tag]});
        world.patch(&bound, "/entities/updateprompt", &body).await
    };
    let errors = [
        update(&unseen).await.error(400),
        update(&unknown).await.error(400),
    ];
    assert_eq!(errors[0], errors[1]);
    update(&seen).await.ok();
    let arguments = |tag: &str| json!({"entityId": workspace.acme, "prompts": ["Another?"], "tags": [tag]});
    let results = [&unseen, &unknown].map(|tag| arguments(tag));
    for arguments in &results {
        assert!(world.call_tool(&bound, "add_prompts", arguments).await.is_error);
    }
    let names = world.get(&bound, "/tags").await.ok().to_string();
    assert!(names.contains("Seen") && !names.contains("Unseen"), "{names}");
}
