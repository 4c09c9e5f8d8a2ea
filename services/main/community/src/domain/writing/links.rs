//! Links in a text.

use super::folding::{unify, unify_but_capitals};

/// What links a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    None,
    /// Only addresses that begin with `https://`, or with no scheme.
    Safe,
    Unsafe,
}

pub(super) fn links_of(text: &str) -> Links {
    let written = unify_but_capitals(text);
    let text = written.to_ascii_lowercase();
    let mut found = Links::None;
    for (place, _) in text.match_indices("://") {
        let before = text.get(..place).unwrap_or_default();
        let is_part = |one: char| one.is_ascii_alphanumeric() || "+.-".contains(one);
        let rest = before.trim_end_matches(is_part);
        let scheme = before.get(rest.len()..).unwrap_or_default();
        if scheme != "https" {
            return Links::Unsafe;
        }
        found = Links::Safe;
    }
    if text.contains("javascript:") || text.contains("data:text") {
        return Links::Unsafe;
    }
    if found == Links::None && words_and_rests(&written).any(|(word, rest)| is_address(word, rest))
    {
        found = Links::Safe;
    }
    found
}

/// Whether one of the links leads to a messenger.
pub(super) fn leads_to_messenger(text: &str) -> bool {
    let text = unify(text);
    words(&text).any(|word| {
        let (host, path) = host_and_path(word);
        let is_at = |name: &str| host.strip_suffix(name).is_some_and(is_subdomain);
        MESSENGERS.iter().any(|name| is_at(name))
            || is_at("discord.com") && path.starts_with("invite")
    })
}

/// Whether one of the links hides where it leads to.
pub(super) fn is_shortened(text: &str) -> bool {
    words(&unify(text)).any(|word| SHORTENERS.contains(&host_and_path(word).0))
}

/// What may stand before the name of a host.
fn is_subdomain(before: &str) -> bool {
    before.is_empty() || before.ends_with('.')
}

/// The host without the dot that may end it.
fn host_and_path(word: &str) -> (&str, &str) {
    let (host, path) = word.split_once('/').unwrap_or((word, ""));
    (host.trim_end_matches('.'), path.trim_start_matches('/'))
}

/// What could be an address with its path.
fn words(text: &str) -> impl Iterator<Item = &str> {
    words_and_rests(text).map(|(word, _)| word.trim_matches(['/', '.']))
}

/// The same as it is written, with the text behind it.
fn words_and_rests(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |one: char| one.is_ascii_alphanumeric() || ".-/_".contains(one);
    let mut rest = text;
    std::iter::from_fn(move || {
        let from = rest.get(rest.find(is_part)?..)?;
        let end = from.find(|one: char| !is_part(one)).unwrap_or(from.len());
        let (word, after) = from.split_at_checked(end)?;
        rest = after;
        Some((word, after))
    })
}

/// Whether a word, as it is written, is an address without a scheme.
fn is_address(written: &str, rest: &str) -> bool {
    let word = written.to_ascii_lowercase();
    let word = word.trim_start_matches(['/', '.']);
    let (host, path) = match word.split_once('/') {
        Some((host, path)) => (host, Some(path.trim_start_matches('/'))),
        None => (word, None),
    };
    let host = host.trim_end_matches('.');
    let mut labels = host.rsplit('.');
    let top = labels.next().unwrap_or_default();
    let label = labels.next().unwrap_or_default();
    if !label.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let is_known = TOP_LEVELS.contains(&top) || SHORTENERS.contains(&host) || host == VIDEOS;
    // In capitals members write indices and ratios, such as `KOSPI.KOSDAQ/NASDAQ`.
    let is_lower =
        written.bytes().any(|byte| byte.is_ascii_lowercase()) || host.starts_with("www.");
    is_known || is_lower && is_host(label, top) && has_page(path, rest)
}

/// Whether two labels may be a host, whatever the second is: those of `youtu.be/x`, but neither of
/// `S.K/LG` nor of `3.5x/4x`.
fn is_host(label: &str, top: &str) -> bool {
    label.bytes().filter(u8::is_ascii_alphanumeric).count() >= 2
        && (2..=24).contains(&top.len())
        && top.bytes().all(|byte| byte.is_ascii_lowercase())
        && !ABBREVIATIONS.contains(&top)
}

/// Whether something follows a host as in an address: a path, a query, or a port with one of them.
fn has_page(path: Option<&str>, rest: &str) -> bool {
    let is_named = |text: &str| text.starts_with(|one: char| one.is_ascii_alphanumeric());
    let follows = |marks: &[char]| rest.strip_prefix(marks).is_some_and(is_named);
    match path {
        Some("") => follows(&['?', '@', ':', '#']),
        Some(path) => is_named(path),
        None => {
            let port = rest.strip_prefix(':').filter(|port| is_named(port));
            let behind = port.map(|port| port.trim_start_matches(|one: char| one.is_ascii_digit()));
            follows(&['?', '#']) || behind.is_some_and(|behind| behind.starts_with('/'))
        }
    }
}

const MESSENGERS: [&str; 11] = [
    "open.kakao.com",
    "pf.kakao.com",
    "qr.kakao.com",
    "t.me",
    "telegram.me",
    "line.me",
    "lin.ee",
    "discord.gg",
    "wa.me",
    "weixin.qq.com",
    "band.us",
];

const SHORTENERS: [&str; 11] = [
    "bit.ly",
    "me2.kr",
    "me2.do",
    "han.gl",
    "vo.la",
    "naver.me",
    "tinyurl.com",
    "buly.kr",
    "url.kr",
    "c11.kr",
    "forms.gle",
];

/// The short host of videos.
const VIDEOS: &str = "youtu.be";

/// Those in which Korean links usually end, also without a path. Not the words `us`, `be` and `im`, which
/// follow a dot where somebody forgot a space.
const TOP_LEVELS: [&str; 33] = [
    "com", "net", "org", "kr", "io", "me", "gg", "xyz", "shop", "site", "link", "info", "biz",
    "app", "dev", "cc", "tv", "ly", "to", "top", "club", "online", "vip", "live", "click", "store",
    "la", "gl", "gd", "ee", "gle", "ai", "co",
];

/// What members write with dots and slashes between, as `PER.PBR/ROE`. No address ends in one.
const ABBREVIATIONS: [&str; 15] = [
    "per", "pbr", "psr", "roe", "roa", "roi", "eps", "bps", "dps", "etf", "etn", "els", "isa",
    "irp", "cma",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_is_safe() {
        for (text, links) in [
            ("삼성전자 71,300원 +1.5%", Links::None),
            ("BRK.B 그리고 3.5 배", Links::None),
            ("https://dart.fss.or.kr/main 참고", Links::Safe),
            ("dart.fss.or.kr 에서", Links::Safe),
            ("www.naver.com", Links::Safe),
            ("naver.com./news", Links::Safe),
            ("naver。com", Links::Safe),
            ("band.us/n/a1b2", Links::Safe),
            ("FORMS.GLE/x 설문", Links::Safe),
            ("youtu.be/x에서 봤어요", Links::Safe),
            ("youtu.be", Links::Safe),
            ("YOUTU.BE/X", Links::Safe),
            ("BIT.LY/X, ME2.DO/X", Links::Safe),
            ("ME2.DO/X", Links::Safe),
            ("my-blog.example/2026", Links::Safe),
            ("stocks.study/?room", Links::Safe),
            ("stocks.study/@room", Links::Safe),
            ("stocks.study?room=1", Links::Safe),
            ("stocks.study:443/x", Links::Safe),
            ("WWW.STOCKS.STUDY/ROOM", Links::Safe),
            ("Stocks.Study/Room", Links::Safe),
            ("stocks.im/x", Links::Safe),
            ("7days.museum./a", Links::Safe),
            ("삼성전자/하이닉스", Links::None),
            ("삼성.전자/하이닉스", Links::None),
            ("S.K/LG, BRK.B/AAPL", Links::None),
            ("3.5억/4억, 3.5x/4x, 1.5/2", Links::None),
            ("2026.11/12, 12.Dec/Jan, Q1.Q2/Q3", Links::None),
            ("and/or, e.g./i.e., etc./and so on", Links::None),
            ("PER.PBR/ROE", Links::None),
            ("차트.jpg/표, chart.jpg/", Links::None),
            ("chart.jpg/? chart.jpg: 3/4", Links::None),
            ("KOSPI.KOSDAQ/NASDAQ, AAPL.US/TSLA.US", Links::None),
            ("USD.KRW:1380/1400", Links::None),
            ("ok.us주식, hi.im, maybe.be", Links::None),
            ("http://example.com", Links::Unsafe),
            ("HTTP://EXAMPLE.COM", Links::Unsafe),
            ("ftp://example.com", Links::Unsafe),
            ("https://a.kr 와 http://b.kr", Links::Unsafe),
            ("javascript:alert(1)", Links::Unsafe),
            ("ｈｔｔｐ：／／example.com", Links::Unsafe),
        ] {
            assert_eq!(links_of(text), links, "{text}");
        }
    }

    #[test]
    fn shorteners_are_known_by_their_hosts() {
        for text in [
            "bit.ly/abcd",
            "https://NAVER.me/xyz 참고",
            "han。gl./a",
            "forms.gle/abcd",
        ] {
            assert!(is_shortened(text), "{text}");
        }
        for text in [
            "naver membership",
            "volatility",
            "hangl",
            "https://habit.ly/a",
        ] {
            assert!(!is_shortened(text), "{text}");
        }
    }

    #[test]
    fn messengers_are_known_by_their_hosts() {
        for text in [
            "https://open.kakao.com/o/gabcd",
            "t.me/abcd 로 오세요",
            "HTTPS://T.ME/abc",
            "www.discord.gg/abc",
            "https://discord.com/invite/abc",
            "https://t。me/abc",
            "https://t｡me/abc",
            "https://t.me./abc",
            "https://richroom.t.me",
            "band.us/n/a1b2",
            "https://www.band.us/@stocks",
        ] {
            assert!(leads_to_messenger(text), "{text}");
        }
        for text in [
            "https://market.me/abc",
            "at.me",
            "headband.us/abc",
            "https://kakao.com",
            "discord.com/developers",
        ] {
            assert!(!leads_to_messenger(text), "{text}");
        }
    }
}
