use std::sync::Arc;

use admin::Arguments;
use runtime::{Settings, SystemClock};

#[tokio::test]
async fn models_are_configured_where_their_provider_is() {
    for (providers, configured) in [("", false), ("xai, openai", true)] {
        let settings =
            Settings::from_lookup(|name| (name == Settings::PROVIDERS).then(|| providers.to_owned()))
                .unwrap();
        let arguments = Arguments::from_words(["model", "list"]).unwrap();
        let listed = admin::run(arguments, &settings, Arc::new(SystemClock))
            .await
            .unwrap();
        let models = listed["models"].as_array().unwrap();
        let openai: Vec<_> = models.iter().filter(|m| m["provider"] == "openai").collect();
        assert!(!openai.is_empty());
        assert!(openai.iter().all(|m| m["configured"] == configured));
    }
}
