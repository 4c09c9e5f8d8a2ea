//! What a client calls itself, as one of a few names.

/// The client's words, and how the mail names the browser. The first that occurs decides: most
/// browsers name others beside themselves.
const BROWSERS: [(&str, &str); 11] = [
    ("InvestApp/", "시드업 앱"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Whale/", "Whale"),
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The same of the system. The native app may name itself alone, and calls an iPad a Macintosh.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("InvestApp/ios/", "iOS"),
    ("InvestApp/android/", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
];

/// "Chrome · Android", or the system alone where the browser is unknown, as inside other apps of an
/// iPhone; `None` without a system. Nothing of the text itself is kept: whoever logs in chooses it, and
/// somebody else reads the mail.
pub(super) fn device_name(user_agent: &str) -> Option<String> {
    let find = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(word, _)| user_agent.contains(word));
        found.map(|(_, name)| *name)
    };
    let system = find(&SYSTEMS)?;
    Some(match find(&BROWSERS) {
        Some(browser) => format!("{browser} · {system}"),
        None => system.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(
        "Mozilla/5.0 (Linux; Android 14; SM-S921N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
        "Chrome · Android"
    )]
    #[case(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
        "Safari · iPhone"
    )]
    #[case(
        "Mozilla/5.0 (Linux; Android 14; SM-S921N) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
        "Samsung Internet · Android"
    )]
    #[case(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
        "Edge · Windows"
    )]
    #[case(
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
        "Firefox · Mac"
    )]
    #[case("InvestApp/ios/1.0", "시드업 앱 · iOS")]
    #[case("InvestApp/android/2 Chrome/140", "시드업 앱 · Android")]
    #[case(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 InvestApp/ios/1.0",
        "시드업 앱 · iPhone"
    )]
    #[case(
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 InvestApp/ios/1.12.3",
        "시드업 앱 · iOS"
    )]
    fn a_browser_and_its_system_are_named(#[case] user_agent: &str, #[case] expected: &str) {
        assert_eq!(device_name(user_agent).as_deref(), Some(expected));
    }

    #[rstest]
    #[case(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 KAKAOTALK 11.2.0",
        "iPhone"
    )]
    #[case("Visit https://evil.example on your Android", "Android")]
    fn a_system_is_named_alone(#[case] user_agent: &str, #[case] expected: &str) {
        assert_eq!(device_name(user_agent).as_deref(), Some(expected));
    }

    #[rstest]
    #[case("")]
    #[case("curl/8.5.0")]
    #[case("Chrome/131.0")]
    #[case("InvestApp/tv/1.0")]
    fn other_clients_have_no_name(#[case] user_agent: &str) {
        assert_eq!(device_name(user_agent), None);
    }
}
