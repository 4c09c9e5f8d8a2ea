//! The product's list of routes agrees with the served ones.

use std::collections::BTreeSet;

use gateway::routes::endpoints;

const LIST: &str = include_str!("../../routes.csv");

struct Row {
    host: String,
    method: String,
    path: String,
    served: bool,
}

fn rows() -> Vec<Row> {
    let read = |line: &str| {
        let [host, method, path, owner, state] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("five columns: {line}");
        };
        assert!(matches!(host, "main" | "sise"), "{line}");
        assert!(matches!(state, "served" | "open"), "{line}");
        assert!(!owner.is_empty(), "{line}");
        Row {
            host: host.to_owned(),
            method: method.to_owned(),
            path: path.to_owned(),
            served: state == "served",
        }
    };
    LIST.lines().skip(1).map(read).collect()
}

/// The path without the names of its parameters, which the list does not fix.
fn shape(path: &str) -> String {
    let segment = |segment: &str| {
        if segment.starts_with('{') {
            "{}"
        } else {
            segment
        }
        .to_owned()
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

#[test]
fn listed_routes_stay_served_and_served_routes_are_listed() {
    let served: BTreeSet<(String, String)> = endpoints()
        .iter()
        .map(|endpoint| &endpoint.spec)
        .filter(|spec| !spec.extension)
        .map(|spec| (spec.method.to_string(), shape(spec.path)))
        .collect();
    let rows = rows();
    let mut listed = BTreeSet::new();
    for row in rows.iter().filter(|row| row.host == "main") {
        let key = (row.method.clone(), shape(&row.path));
        assert!(
            listed.insert(key.clone()),
            "{} {} is listed twice",
            row.method,
            row.path
        );
        let is_served = served.contains(&key);
        assert!(
            is_served || !row.served,
            "{} {} is gone",
            row.method,
            row.path
        );
        assert!(
            !is_served || row.served,
            "mark {} {} as served",
            row.method,
            row.path
        );
    }
    let unlisted: Vec<_> = served.difference(&listed).collect();
    assert!(
        unlisted.is_empty(),
        "neither in the list nor an extension: {unlisted:?}"
    );
    let count = rows.iter().filter(|row| row.served).count();
    let percent = count * 100 / rows.len();
    println!(
        "{count} of {} routes of the product are served ({percent} %)",
        rows.len()
    );
}

#[test]
fn the_calls_of_the_sise_host_are_in_the_list() {
    let rows = rows();
    let sise = rows.iter().filter(|row| row.host == "sise");
    let listed: Vec<_> = sise
        .map(|row| (row.method.as_str(), row.path.as_str(), row.served))
        .collect();
    assert_eq!(
        listed,
        [
            ("POST", "/api/v1/auth/login", true),
            ("POST", "/api/v1/auth/join", true),
            ("GET", "/ws2", true)
        ]
    );
}
