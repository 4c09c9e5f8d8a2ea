//! Ways to reach somebody elsewhere: phone numbers, e-mail addresses and ids of messengers.

use super::folding::{condense, unify};
use super::links::leads_to_messenger;
use super::phones::has_phone;

/// Whether a text says how to reach somebody elsewhere.
pub(super) fn has_contact(text: &str) -> bool {
    has_phone(text) || has_email(text) || has_id(text) || leads_to_messenger(text)
}

fn has_email(text: &str) -> bool {
    let text = unify(text).replace("골뱅이", "@").replace(" @ ", "@");
    text.match_indices('@').any(|(place, mark)| {
        let before = text.get(..place).unwrap_or_default();
        let after = text.get(place + mark.len()..).unwrap_or_default();
        let is_part = |one: char| one.is_ascii_alphanumeric() || ".-".contains(one);
        let host = after.split(|one| !is_part(one)).next().unwrap_or_default();
        let top = host.trim_end_matches('.').rsplit_once('.');
        before.ends_with(|one: char| one.is_ascii_alphanumeric())
            && top.is_some_and(|(name, top)| {
                !name.is_empty()
                    && top.len() >= 2
                    && top.bytes().all(|byte| byte.is_ascii_lowercase())
            })
    })
}

/// An id soon after the name of a messenger: one that is called an id, or looks like one.
fn has_id(text: &str) -> bool {
    // Without its dots the address is no link; `community` is another word.
    let condensed = condense(text);
    let has_address = condensed.match_indices(ADDRESS).any(|(place, _)| {
        let after = condensed.get(place + ADDRESS.len()..).unwrap_or_default();
        !after.starts_with(|one: char| one.is_ascii_alphabetic())
    });
    if has_address {
        return true;
    }
    let text = unify(text);
    MESSENGERS.iter().any(|(name, boundary)| {
        let name = unify(name);
        text.match_indices(&name).any(|(place, _)| {
            let before = text.get(..place).unwrap_or_default();
            let after = text.get(place + name.len()..).unwrap_or_default();
            let is_word = match boundary {
                Boundary::None => true,
                Boundary::Start => !before.ends_with(char::is_alphabetic),
                Boundary::Both => {
                    !before.ends_with(char::is_alphabetic)
                        && !after.starts_with(char::is_alphabetic)
                }
            };
            is_word && is_followed_by_id(after)
        })
    })
}

fn is_followed_by_id(after: &str) -> bool {
    let window: String = after.chars().take(ID_WINDOW).collect();
    let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let (mut between, mut has_mark) = (String::new(), false);
    for word in window.split_inclusive(|one: char| !is_part(one)) {
        let id = word.trim_end_matches(|one: char| !is_part(one));
        let has_letter = id.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_mixed = id.bytes().any(|byte| byte.is_ascii_digit() || byte == b'_');
        let is_called_one = has_mark || MARKERS.iter().any(|marker| between.contains(marker));
        if id.len() >= 4 && has_letter && (is_mixed || is_called_one) {
            return true;
        }
        has_mark |= id == "id" || word.ends_with('@');
        between.push_str(word);
    }
    false
}

/// Where the name of a messenger has to be a word of its own, not a part of another.
enum Boundary {
    None,
    Start,
    Both,
}

const MESSENGERS: [(&str, Boundary); 15] = [
    ("카톡", Boundary::None),
    ("카카오톡", Boundary::None),
    ("까톡", Boundary::None),
    ("깨톡", Boundary::None),
    ("ㅋㅌ", Boundary::Start),
    ("kakaotalk", Boundary::None),
    ("텔레그램", Boundary::None),
    ("텔레", Boundary::Both),
    ("텔래", Boundary::Both),
    ("telegram", Boundary::None),
    ("라인", Boundary::Start),
    ("위챗", Boundary::None),
    ("wechat", Boundary::None),
    ("디스코드", Boundary::None),
    ("왓츠앱", Boundary::None),
];
/// The host of open chats, without its dots.
const ADDRESS: &str = "openkakaocom";
const MARKERS: [&str; 3] = ["아이디", "친추", "추가"];
/// Characters after the name of a messenger.
const ID_WINDOW: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_addresses_are_found() {
        for text in [
            "카톡 아이디 seedking",
            "카카오톡 ID: abcd",
            "ㅋㅌ stock77",
            "텔레그램 @richman",
            "텔레 rich_man",
            "라인 추가 moneyup",
            "abc@naver.com",
            "abc골뱅이naver.com",
            "open.kakao.com/o/abc",
            "open kakao com",
            "카\u{fe0f}톡 아이디 seedking",
            "텔\u{336}레\u{336} rich_man",
        ] {
            assert!(has_contact(text), "{text}");
        }
        for text in [
            "카카오톡을 만든 회사예요",
            "텔레그램 코인 TON 공부해요",
            "라인 야후 합병 뉴스",
            "@ 71,300원에 샀어요",
            "카카오 kospi200 편입",
            "open kakao community",
        ] {
            assert!(!has_contact(text), "{text}");
        }
    }
}
