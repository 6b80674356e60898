//! Periods and date ranges.

use domain::time::Day;
use serde_json::json;

use super::TrackedEntity;

/// Returns the days of the points as offsets from today.
async fn days(tracked: &TrackedEntity, parameters: &str) -> Vec<i32> {
    let today = tracked.today().0;
    let points = tracked.points(parameters).await;
    points
        .iter()
        .map(|p| Day::parse(p["date"].as_str().unwrap()).unwrap().0 - today)
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_without_answers_has_no_point() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    tracked.run_check().await;
    // A check with only refused or failed answers, and days without a check.
    let other = TrackedEntity::new(1, &["refused?", "failed?"]).await;
    other.run_check().await;
    assert_eq!(days(&other, "").await, [0; 0]);
    tracked.advance_days(3);
    tracked.run_check().await;
    tracked.advance_days(2);
    assert_eq!(days(&tracked, "").await, [-5, -2]);
    let scores: Vec<_> = tracked
        .points("")
        .await
        .iter()
        .map(|p| p["score"].clone())
        .collect();
    assert_eq!(scores, [json!(100.0), json!(100.0)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_period_is_today_and_the_days_before() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    // Checks run on days -30, -29, -14, -13, -7, -6 and 0.
    for wait in [1, 15, 1, 6, 1, 6, 0] {
        tracked.run_check().await;
        tracked.advance_days(wait);
    }
    let month = [-29, -14, -13, -7, -6, 0];
    assert_eq!(days(&tracked, "period=7d").await, [-6, 0]);
    assert_eq!(days(&tracked, "period=14d").await, [-13, -7, -6, 0]);
    assert_eq!(days(&tracked, "period=30d").await, month);
    assert_eq!(days(&tracked, "").await, month);

    let day = |days: i32| tracked.today().plus_days(days).to_string();
    for (range, expected) in [
        // A range includes both ends and replaces the period.
        (
            format!("startDate={}&endDate={}", day(-14), day(-7)),
            vec![-14, -13, -7],
        ),
        (
            format!("startDate={}&endDate={}&period=7d", day(-14), day(-7)),
            vec![-14, -13, -7],
        ),
        (format!("startDate={0}&endDate={0}", day(-13)), vec![-13]),
        (format!("startDate={0}&endDate={0}", day(-12)), vec![]),
        // The end defaults to today, and the start to 29 days before the end.
        (format!("startDate={}", day(-7)), vec![-7, -6, 0]),
        (format!("endDate={}", day(-1)), vec![-30, -29, -14, -13, -7, -6]),
        (format!("endDate={}", day(-7)), vec![-30, -29, -14, -13, -7]),
        (
            format!("startDate={}", day(-365)),
            vec![-30, -29, -14, -13, -7, -6, 0],
        ),
        // An end in the future is allowed.
        (format!("startDate={}&endDate={}", day(-6), day(30)), vec![-6, 0]),
        (format!("startDate={}&endDate={}", day(1), day(2)), vec![]),
        // A timestamp means its UTC day.
        (
            format!(
                "startDate={}T23:59:59.999Z&endDate={}T00:00:00Z",
                day(-14),
                day(-7)
            ),
            vec![-14, -13, -7],
        ),
        (
            format!("startDate={}T01:00:00%2B02:00&endDate={}", day(-12), day(-7)),
            vec![-13, -7],
        ),
    ] {
        assert_eq!(days(&tracked, &range).await, expected, "{range}");
    }
}
