//! The template keeps limits of AWS that neither CloudFormation's schemas nor the linters know: a stack that
//! exceeds one of them is refused while it is deployed. What depends on parameters counts with their longest
//! values.

use serde_json::{Map, Value as Json};
use serde_yaml_ng::{Mapping, Value};

use super::{events, functions, resources, tagged, text};

/// A limit that AWS does not raise on request.
struct Limit {
    what: &'static str,
    most: usize,
    /// The document of AWS that states the limit, and the section or the row in it.
    source: &'static str,
    /// Returns each thing that the limit is for, with its amount.
    amounts: fn(&Value) -> Vec<(String, usize)>,
    /// Changes the template so that it exceeds this limit and no other.
    exceed: fn(&mut Value),
}

static LIMITS: [Limit; 11] = [
    Limit {
        what: "metrics of an alarm",
        most: 10,
        source: "Amazon CloudWatch, user guide, Limits, metric math expressions",
        amounts: |template| data_queries(template, "MetricStat"),
        exceed: |template| {
            push_many(&mut function_errors(template)["Metrics"], 10, |metrics| {
                metrics[1].clone()
            });
        },
    },
    Limit {
        what: "expressions of an alarm",
        most: 10,
        source: "Amazon CloudWatch, API reference, MetricDataQuery",
        amounts: |template| data_queries(template, "Expression"),
        exceed: |template| {
            push_many(&mut function_errors(template)["Metrics"], 10, |metrics| {
                metrics[0].clone()
            });
        },
    },
    Limit {
        what: "seconds that an alarm with periods of less than an hour looks back",
        most: 86_400,
        source: "Amazon CloudWatch, API reference, PutMetricAlarm, EvaluationPeriods",
        amounts: |template| looks_back(template, |period| period < 3_600),
        exceed: |template| function_errors(template)["EvaluationPeriods"] = 289.into(),
    },
    Limit {
        what: "seconds that an alarm looks back",
        most: 604_800,
        source: "Amazon CloudWatch, API reference, PutMetricAlarm, EvaluationPeriods",
        amounts: |template| looks_back(template, |_| true),
        exceed: |template| {
            let alarm = &mut template["Resources"]["WebhooksDisabledAlarm"]["Properties"];
            alarm["EvaluationPeriods"] = 169.into();
        },
    },
    Limit {
        what: "characters of an event pattern",
        most: 2_048,
        source: "Amazon EventBridge, user guide, Quotas, Event pattern size",
        amounts: |template| {
            let rules = resources(template, "AWS::Events::Rule").into_iter();
            rules
                .map(|(name, rule)| (name, json_length(template, &rule["EventPattern"])))
                .collect()
        },
        exceed: |template| {
            let rule = &mut template["Resources"]["StepRule"]["Properties"];
            push_many(&mut rule["EventPattern"]["detail-type"], 200, |types| {
                types[0].clone()
            });
        },
    },
    Limit {
        what: "bytes of a function's variables",
        most: 4 * 1024,
        source: "AWS Lambda, developer guide, Quotas, Function environment variables",
        amounts: |template| {
            let functions = functions(template).into_iter();
            functions
                .map(|(name, function)| (name, variables(template, &function)))
                .collect()
        },
        exceed: |template| {
            template["Parameters"]["CorsOrigins"]
                .as_mapping_mut()
                .unwrap()
                .remove("MaxLength")
                .unwrap();
        },
    },
    Limit {
        what: "bytes of the policy by which others may invoke a function",
        most: 20 * 1024,
        source: "AWS Lambda, developer guide, Quotas, Function resource-based policy",
        amounts: |template| {
            let functions = functions(template).into_iter();
            functions
                .map(|(name, function)| (name, invocation_policy(&function)))
                .collect()
        },
        exceed: |template| {
            let function = &mut template["Resources"]["WorkspaceFunction"]["Properties"];
            add_routes(
                &mut function["Events"],
                40,
                "/v1/workspace/members/{memberId}/notifications",
            );
        },
    },
    Limit {
        what: "routes of the API, each with an integration",
        most: 300,
        source: "Amazon API Gateway, developer guide, Quotas for HTTP APIs, Integrations per API",
        amounts: |template| {
            let functions = functions(template).into_values();
            vec![(
                "Api".to_owned(),
                functions.map(|function| events(&function, "HttpApi").len()).sum(),
            )]
        },
        exceed: |template| {
            for function in template["Resources"].as_mapping_mut().unwrap().values_mut() {
                if function["Type"] == "AWS::Serverless::Function" {
                    let properties = &mut function["Properties"];
                    add_routes(&mut properties["Events"], 25, "/");
                }
            }
        },
    },
    Limit {
        what: "milliseconds that the API waits for a function",
        most: 30_000,
        source: "Amazon API Gateway, developer guide, Quotas for HTTP APIs, Maximum integration timeout",
        amounts: |template| {
            let functions = functions(template).into_iter();
            let waits = |(name, function): (String, Value)| {
                let waits = events(&function, "HttpApi").into_iter();
                waits
                    .map(move |route| (name.clone(), number(&route["TimeoutInMillis"])))
                    .collect::<Vec<_>>()
            };
            functions.flat_map(waits).collect()
        },
        exceed: |template| {
            let function = &mut template["Resources"]["WorkspaceFunction"]["Properties"];
            function["Events"]["Models"]["Properties"]["TimeoutInMillis"] = 30_001.into();
        },
    },
    Limit {
        what: "bytes of the format of the access log",
        most: 3 * 1024,
        source: "Amazon API Gateway, developer guide, Quotas for HTTP APIs, Access log template size",
        amounts: |template| {
            let apis = resources(template, "AWS::Serverless::HttpApi").into_iter();
            apis.map(|(name, api)| (name, text(&api["AccessLogSettings"]["Format"]).len()))
                .collect()
        },
        exceed: |template| {
            template["Resources"]["Api"]["Properties"]["AccessLogSettings"]["Format"] =
                "x".repeat(3_073).into();
        },
    },
    Limit {
        what: "characters of a role's own policies",
        most: 10_240,
        source: "AWS IAM, user guide, IAM and AWS STS quotas, Role inline policies",
        amounts: |template| {
            let roles = resources(template, "AWS::IAM::Role").into_iter();
            let length = |(name, role): (String, Value)| {
                let policies = role["Policies"].as_sequence().unwrap().iter();
                (
                    name,
                    policies
                        .map(|policy| json_length(template, &policy["PolicyDocument"]))
                        .sum(),
                )
            };
            roles.map(length).collect()
        },
        exceed: |template| {
            let role = &mut template["Resources"]["CheckerRole"]["Properties"];
            let statements = &mut role["Policies"][0]["PolicyDocument"]["Statement"];
            push_many(statements, 40, |statements| statements[0].clone());
        },
    },
];

/// The longest name or ARN of a resource in the stack: that of the table, whose name may have 255 characters.
const LONGEST_RESOURCE: usize = 330;
/// AWS CloudFormation, user guide, Quotas: the bytes of a parameter's value.
const LONGEST_PARAMETER: usize = 4_096;

/// Returns what exceeds its limit, with the limit.
fn exceeded(template: &Value) -> Vec<(&'static str, String)> {
    let mut exceeded = Vec::new();
    for limit in &LIMITS {
        for (name, amount) in (limit.amounts)(template) {
            if amount > limit.most {
                let Limit { most, source, .. } = limit;
                exceeded.push((limit.what, format!("{name}: {amount} of {most} ({source})")));
            }
        }
    }
    exceeded
}

#[test]
fn the_template_keeps_the_limits_that_aws_enforces_and_linters_do_not() {
    let template = tagged();
    assert_eq!(exceeded(&template), []);
    for limit in &LIMITS {
        let mut amounts = (limit.amounts)(&template).into_iter();
        assert!(
            amounts.any(|(_, amount)| amount > 0),
            "nothing counts for {}",
            limit.what
        );
    }
}

#[test]
fn a_template_that_exceeds_a_limit_is_found_to_exceed_this_limit_and_no_other() {
    for limit in &LIMITS {
        let mut template = tagged();
        (limit.exceed)(&mut template);
        let found = exceeded(&template);
        assert!(!found.is_empty(), "{}", limit.what);
        assert!(
            found.iter().all(|(what, _)| *what == limit.what),
            "{}: {found:?}",
            limit.what
        );
    }
}

/// Returns the number of an alarm's queries of a kind: of a metric, or of an expression.
fn data_queries(template: &Value, kind: &str) -> Vec<(String, usize)> {
    let of_kind = |alarm: &Value| {
        let queries = alarm["Metrics"].as_sequence().into_iter().flatten();
        queries.filter(|query| query.get(kind).is_some()).count()
    };
    let alarms = resources(template, "AWS::CloudWatch::Alarm").into_iter();
    alarms.map(|(name, alarm)| (name, of_kind(&alarm))).collect()
}

/// Returns the seconds that each alarm looks back, of alarms with such a period.
fn looks_back(template: &Value, counts: fn(usize) -> bool) -> Vec<(String, usize)> {
    let seconds = |(name, alarm): (String, Value)| {
        let queries = alarm["Metrics"].as_sequence().into_iter().flatten();
        let periods = queries
            .filter_map(|query| query.get("MetricStat"))
            .chain([&alarm]);
        let period = periods
            .filter_map(|of| of.get("Period"))
            .map(number)
            .max()
            .unwrap();
        counts(period).then(|| (name, period * number(&alarm["EvaluationPeriods"])))
    };
    let alarms = resources(template, "AWS::CloudWatch::Alarm").into_iter();
    alarms.filter_map(seconds).collect()
}

/// Returns the bytes of the names and the longest values of a function's variables.
fn variables(template: &Value, function: &Value) -> usize {
    let all = [&template["Globals"]["Function"], function].map(|of| &of["Environment"]["Variables"]);
    let all = all.into_iter().filter_map(Value::as_mapping).flatten();
    all.map(|(name, value)| match longest(template, value) {
        Json::String(value) => text(name).len() + value.len(),
        other => panic!("{name:?}: {other}"),
    })
    .sum()
}

/// Returns the bytes of a function's policy, to which SAM adds a statement for each route.
fn invocation_policy(function: &Value) -> usize {
    let statement = |route: Value| {
        let path = route.get("Path").map_or(0, |path| text(path).len());
        let fixed = r#"{"Sid":"","Effect":"Allow","Principal":{"Service":"apigateway.amazonaws.com"},"Action":"lambda:InvokeFunction","Resource":"","Condition":{"ArnLike":{"AWS:SourceArn":""}}},"#;
        let api = "arn:aws-us-gov:execute-api:ap-southeast-1:123456789012:abcdefghij/*/*";
        // The ids of statements and the ARNs of functions are the longest that Lambda's API takes.
        fixed.len() + 100 + 140 + api.len() + path
    };
    events(function, "HttpApi").into_iter().map(statement).sum()
}

/// Returns the characters of a value as JSON without white space.
fn json_length(template: &Value, value: &Value) -> usize {
    longest(template, value).to_string().chars().count()
}

/// Returns a value as it is deployed, with the longest text that each of its references can become.
fn longest(template: &Value, value: &Value) -> Json {
    match value {
        Value::Tagged(tagged) => match (tagged.tag.to_string().as_str(), &tagged.value) {
            ("!If", branches) => {
                let branches = [1, 2].map(|branch| longest(template, &branches[branch]));
                branches
                    .into_iter()
                    .max_by_key(|branch| branch.to_string().len())
                    .unwrap()
            }
            ("!Ref" | "!GetAtt", name) => "x".repeat(reference(template, &text(name))).into(),
            ("!Sub", pattern) => {
                let mut parts = Vec::new();
                for part in text(pattern).split("${") {
                    let after = part.split_once('}').filter(|_| !parts.is_empty());
                    let (inserted, rest) =
                        after.map_or((0, part), |(name, rest)| (reference(template, name), rest));
                    parts.push("x".repeat(inserted) + rest);
                }
                parts.concat().into()
            }
            (tag, _) => panic!("{tag} is not understood"),
        },
        Value::Sequence(items) => items.iter().map(|item| longest(template, item)).collect(),
        Value::Mapping(map) => {
            let entries = map
                .iter()
                .map(|(name, value)| (text(name), longest(template, value)));
            Json::Object(entries.collect::<Map<_, _>>())
        }
        other => serde_json::to_value(other).unwrap(),
    }
}

/// Returns the length of the longest text that a name refers to: of a parameter, a resource, or
/// CloudFormation itself.
fn reference(template: &Value, name: &str) -> usize {
    if let Some(own) = name.strip_prefix("AWS::") {
        return match own {
            "StackName" => 128,
            "Region" => "ap-southeast-1".len(),
            "Partition" => "aws-us-gov".len(),
            "AccountId" => 12,
            "NoValue" => 0,
            _ => panic!("{name} is not understood"),
        };
    }
    let Some(parameter) = template["Parameters"].get(name) else {
        return LONGEST_RESOURCE;
    };
    let values = parameter["AllowedValues"].as_sequence().into_iter().flatten();
    let bounds = ["MaxValue", "MinValue"].map(|bound| parameter.get(bound));
    let length = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| number(value).to_string().len(), str::len)
    };
    let longest = values.chain(bounds.into_iter().flatten()).map(length).max();
    let stated = parameter.get("MaxLength").map(number);
    stated.or(longest).unwrap_or(LONGEST_PARAMETER)
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("{value:?}"))).unwrap()
}

fn function_errors(template: &mut Value) -> &mut Value {
    &mut template["Resources"]["FunctionErrorsAlarm"]["Properties"]
}

/// Appends copies of a list's items to it.
fn push_many(list: &mut Value, times: usize, item: fn(&[Value]) -> Value) {
    let list = list.as_sequence_mut().unwrap();
    let item = item(list);
    list.extend(std::iter::repeat_n(item, times));
}

/// Adds routes to a function.
fn add_routes(events: &mut Value, times: usize, path: &str) {
    if events.is_null() {
        *events = Mapping::new().into();
    }
    for number in 0..times {
        let properties = [("Path", Value::from(path)), ("TimeoutInMillis", 30_000.into())];
        let properties: Mapping = properties
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect();
        let event = [
            ("Type", Value::from("HttpApi")),
            ("Properties", properties.into()),
        ];
        let event: Mapping = event
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect();
        events[format!("Another{number}")] = event.into();
    }
}
