//! What a data directory keeps, who may use it, and what makes it unusable.

use domain::time::MINUTE;

use super::*;

#[tokio::test]
async fn a_data_directory_of_a_run_without_demo_gets_the_demo_with_its_30_days() {
    let provider = Provider::start().await;
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    // Service time is ahead of real time, and what is stored must not be later than service time.
    process.advance(30_000).await;
    let (_, _, key) = workspace(&process).await;
    let older = entity(&process, &key, &["Which tool?"]).await;
    let status = process.wait_for_check(&key, &older, &Value::Null).await;
    assert_eq!(process.interrupt().await.code, Some(0));

    let process = Process::start(data.path(), &[], None).await;
    assert_eq!(points(&process).await, [30, 30, 30, 0, 0]);
    let path = format!("/entities/tracking-status?entityId={older}");
    let restarted = process.get(&key, &path).await;
    let completed = "lastCheckCompletedAt";
    assert!(
        restarted[completed].as_str() >= status[completed].as_str(),
        "{restarted}"
    );
    let demo_key = process.ready["apiKey"].as_str().unwrap();
    let tracked = process.get(demo_key, "/entities").await[0]["id"].clone();
    let path = format!("/entities/tracking-status?entityId={}", tracked.as_str().unwrap());
    let newest = process.get(demo_key, &path).await;
    let completion = |status: &Value| Timestamp::from_iso(status[completed].as_str().unwrap()).unwrap();
    assert!(
        completion(&newest) + 6 * MINUTE >= completion(&status),
        "the demo's history ends with the older data: {newest} {status}"
    );
    let models = process.get(demo_key, "/models").await;
    for number in 0..CREATES_PER_HOUR {
        let body = json!({
            "name": format!("Acme {number}"), "domain": format!("acme{number}.com"),
            "models": [models[0]["uuid"]], "generatePrompts": false,
        });
        let created = process
            .call(demo_key, Method::POST, "/entities", Some(&body))
            .await;
        assert_eq!(
            created["success"], true,
            "the demo's entities do not count towards the hourly limit"
        );
    }
    let created_at = process.get(demo_key, "/entities").await[0]["createdAt"].clone();
    process.kill().await;
    let process = Process::start(data.path(), &[], None).await;
    let key = process.ready["apiKey"].as_str().unwrap();
    assert_eq!(
        process.get(key, "/entities").await[0]["createdAt"],
        created_at,
        "the demo is made once"
    );
}

#[tokio::test]
async fn a_data_directory_belongs_to_one_process_until_that_ends() {
    let data = tempfile::tempdir().unwrap();
    let first = Process::start(data.path(), &["--empty"], None).await;
    let second = Process::spawn(data.path(), &["--empty"], None).ended().await;
    assert_eq!((second.code, second.out.as_str()), (Some(1), ""));
    let expected = format!(
        "error: the data directory {} is in use by another process (--data)\n",
        data.path().display()
    );
    assert_eq!(second.log, expected);
    first.kill().await;
    let third = Process::start(data.path(), &["--empty"], None).await;
    assert_eq!(third.interrupt().await.code, Some(0));
}

#[cfg(unix)]
#[tokio::test]
async fn a_data_directory_and_its_files_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    let parent = tempfile::tempdir().unwrap();
    let data = parent.path().join("new").join("data");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let process = Process::start(&data, &[], None).await;
    assert_eq!(process.interrupt().await.code, Some(0));
    // What an earlier run has left for others to read.
    let demo = data.join("demo.json");
    std::fs::set_permissions(&demo, PermissionsExt::from_mode(0o644)).unwrap();
    std::fs::set_permissions(data.join("dynamodb.sqlite"), PermissionsExt::from_mode(0o644)).unwrap();
    let process = Process::start(&data, &[], None).await;
    let files = std::fs::read_dir(&data).unwrap().map(|file| file.unwrap().path());
    let files: Vec<PathBuf> = files.collect();
    assert!(files.len() >= 4, "{files:?}");
    for path in files.iter().chain([&data]) {
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(path), expected, "{}", path.display());
    }
    assert_eq!(process.interrupt().await.code, Some(0));
}

#[tokio::test]
async fn a_damaged_file_in_the_data_directory_is_an_error_that_names_it() {
    for (name, contents) in [
        (
            "service-time",
            &[
                "",
                "soon",
                "-1",
                "1.5",
                "17 18",
                "9223372036854775807",
                "253402207201000",
                "\u{fffd}",
            ][..],
        ),
        ("demo.json", &["", "{", "[]", "{\"apiKey\": 7}"][..]),
    ] {
        for content in contents {
            let data = tempfile::tempdir().unwrap();
            let file = data.path().join(name);
            std::fs::write(&file, content).unwrap();
            let exit = Process::spawn(data.path(), &["--empty"], None).ended().await;
            assert_eq!((exit.code, exit.out.as_str()), (Some(1), ""), "{content:?}");
            let expected = format!("error: {} is damaged: it must be ", file.display());
            assert!(exit.log.starts_with(&expected), "{content:?}: {}", exit.log);
            assert_eq!(
                std::fs::read_to_string(&file).unwrap(),
                *content,
                "nothing is changed"
            );
        }
    }
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_used_is_an_error_that_names_option_and_path() {
    let parent = tempfile::tempdir().unwrap();
    let file = parent.path().join("file");
    std::fs::write(&file, "").unwrap();
    // Even the superuser can create nothing in the second one.
    let below_a_file = file.join("data");
    for path in [file.as_path(), below_a_file.as_path(), Path::new("/proc/self")] {
        if path.starts_with("/proc") && !path.exists() {
            continue;
        }
        let exit = Process::spawn(path, &["--empty"], None).ended().await;
        assert_eq!(
            (exit.code, exit.out.as_str()),
            (Some(1), ""),
            "{}",
            path.display()
        );
        let expected = format!("error: {} cannot be used (--data): ", path.display());
        assert!(exit.log.starts_with(&expected), "{}", exit.log);
    }
}
