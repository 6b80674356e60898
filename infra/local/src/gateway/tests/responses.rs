use std::time::Duration;

use super::*;

#[tokio::test]
async fn a_body_over_the_limit_is_refused_by_the_gateway_itself() {
    let limits = Limits {
        body: 1_000,
        ..Limits::API_GATEWAY
    };
    let at = host(limits, vec![], function(|_| json!({"statusCode": 204})))
        .await
        .at;
    assert_eq!(send(at, "POST /", &[], &[b'a'; 1_000]).await.status, 204);
    let reply = send(at, "POST /", &[], &[b'a'; 1_001]).await;
    assert_eq!(
        (reply.status, reply.text()),
        (413, r#"{"message":"Request Entity Too Large"}"#)
    );
    assert_eq!(Limits::API_GATEWAY.body, 10_485_760);
}

#[tokio::test]
async fn a_target_over_the_limit_is_refused_by_the_gateway_itself() {
    assert_eq!(Limits::API_GATEWAY.target, 8_192);
    let at = host(
        Limits::API_GATEWAY,
        vec![],
        function(|_| json!({"statusCode": 204})),
    )
    .await
    .at;
    for (length, status) in [(8_192, 204), (8_193, 414), (20_000, 414)] {
        let line = format!("GET /?{}", "a".repeat(length - 2));
        assert_eq!(send(at, &line, &[], b"").await.status, status, "{length}");
    }
}

#[tokio::test]
async fn an_event_or_a_response_that_lambda_does_not_take_is_refused() {
    assert_eq!(Limits::API_GATEWAY.payload, 6_291_556);
    let limits = Limits {
        payload: 3_000,
        ..Limits::API_GATEWAY
    };
    let lengthy = function(|event| {
        let length: usize = event["rawQueryString"].as_str().unwrap().parse().unwrap();
        json!({"statusCode": 200, "body": "\"".repeat(length)})
    });
    let at = host(limits, vec![], lengthy).await.at;
    // Each quote of the body is two characters of the payload.
    for (query, status) in [("1400", 200), ("1500", 500)] {
        assert_eq!(send(at, &format!("GET /?{query}"), &[], b"").await.status, status);
    }
    for (length, status) in [(100, 200), (3_000, 413)] {
        let body = vec![b'a'; length];
        assert_eq!(send(at, "POST /?1", &[], &body).await.status, status, "{length}");
    }
}

#[tokio::test]
async fn a_panic_is_a_500_and_the_server_keeps_running() {
    let early: ApiHandler = Arc::new(|_| panic!("before the future"));
    let late: ApiHandler = Arc::new(|_| async { panic!("in the future") }.boxed());
    let routes = vec![("/early", early), ("/late", late)];
    let at = host(Limits::API_GATEWAY, routes, echo()).await.at;
    for line in ["GET /early", "GET /late"] {
        let reply = send(at, line, &[], b"").await;
        assert_eq!(
            (reply.status, reply.text()),
            (500, r#"{"message":"Internal Server Error"}"#)
        );
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    assert_eq!(send(at, "GET /", &[], b"").await.status, 200);
}

#[tokio::test]
async fn a_function_that_does_not_answer_in_time_is_a_503() {
    let limits = Limits {
        timeout: Duration::from_millis(20),
        ..Limits::API_GATEWAY
    };
    let hanging: ApiHandler = Arc::new(|_| std::future::pending().boxed());
    let at = host(limits, vec![], hanging).await.at;
    let reply = send(at, "GET /", &[], b"").await;
    assert_eq!(
        (reply.status, reply.text()),
        (503, r#"{"message":"Service Unavailable"}"#)
    );
}

#[tokio::test]
async fn a_response_becomes_the_http_answer() {
    let respond = function(|_| {
        json!({
            "statusCode": 418,
            "headers": {"X-A": "1", "content-type": "image/gif"},
            "multiValueHeaders": {"x-lost": ["1"]},
            "cookies": ["a=1; Path=/", "b=2"],
            "body": "/wA=",
            "isBase64Encoded": true,
        })
    });
    let at = host(Limits::API_GATEWAY, vec![], respond).await.at;
    let reply = send(at, "GET /", &[], b"").await;
    assert_eq!(
        (reply.status, reply.body.as_slice()),
        (418, [0xff, 0x00].as_slice())
    );
    assert_eq!(reply.header("x-a"), Some("1"));
    assert_eq!(reply.header("content-type"), Some("image/gif"));
    assert_eq!(reply.header("x-lost"), None);
    assert!(reply.header("apigw-requestid").is_some());
    let cookies = reply.headers.iter().filter(|(name, _)| name == "set-cookie");
    let cookies: Vec<_> = cookies.map(|(_, value)| value.as_str()).collect();
    assert_eq!(cookies, ["a=1; Path=/", "b=2"]);
}

#[tokio::test]
async fn head_reaches_the_function_and_gets_no_body() {
    let method = function(|event| {
        let method = &event["requestContext"]["http"]["method"];
        json!({"statusCode": 405, "headers": {"x-method": method}, "body": "not allowed"})
    });
    let at = host(Limits::API_GATEWAY, vec![], method).await.at;
    let reply = send(at, "HEAD /", &[], b"").await;
    assert_eq!((reply.status, reply.header("x-method")), (405, Some("HEAD")));
    assert_eq!(reply.body, b"");
}

#[tokio::test]
async fn a_shutdown_lets_a_running_request_end() {
    let (entered, has_entered) = oneshot::channel();
    let entered = std::sync::Mutex::new(Some(entered));
    let slow: ApiHandler = Arc::new(move |_| {
        entered.lock().unwrap().take().unwrap().send(()).unwrap();
        async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            json!({"statusCode": 200})
        }
        .boxed()
    });
    let host = host(Limits::API_GATEWAY, vec![], slow).await;
    let request = tokio::spawn(async move { send(host.at, "GET /", &[], b"").await.status });
    has_entered.await.unwrap();
    host.stop.send(()).unwrap();
    assert_eq!(request.await.unwrap(), 200);
    host.served.await.unwrap().unwrap();
}
