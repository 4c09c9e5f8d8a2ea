use super::*;
use crate::seed;
use kernel::MarketCode::{Coin, Kospi};

fn index() -> SearchIndex<Instrument> {
    let universe = seed::MARKET.read().unwrap();
    SearchIndex::new(&Catalogue::new(universe.instruments, vec![], vec![]))
}

fn find(text: &str) -> Vec<String> {
    let found = index().find(text, &[], &[], 1).items;
    found.iter().map(|row| row.korean_name.clone()).collect()
}

#[test]
fn every_way_of_typing_finds_samsung() {
    for text in [
        "005930",
        "삼성전자",
        "삼전",
        " 삼성 전자 ",
        "삼성전",
        "삼성ㅈ",
        "삼ㅅ",
        "ㅅㅅㅈㅈ",
        "samsungelec",
        "삼섬전자",
        "\u{1109}\u{1161}\u{11B7}성전자",
    ] {
        assert!(
            find(text).contains(&"삼성전자".to_owned()),
            "{text:?}: {:?}",
            find(text)
        );
    }
    for text in ["005930", "삼성전자", "삼전", "ㅅㅅㅈㅈ", "삼성전"] {
        assert_eq!(find(text)[0], "삼성전자", "{text}");
    }
}

#[test]
fn other_markets_are_found_by_their_own_words() {
    for (text, name) in [
        ("btc", "비트코인"),
        ("KRW-BTC", "비트코인"),
        ("ㅂㅌㅋㅇ", "비트코인"),
        ("비트", "비트코인"),
        ("AAPL", "애플"),
        ("apple", "애플"),
        ("appel", "애플"),
        ("구글", "알파벳 A"),
        ("skㅎㅇ", "SK하이닉스"),
        ("ㅎㅇㄴㅅ", "SK하이닉스"),
        ("kodex200", "KODEX 200"),
        ("brk.b", "버크셔 해서웨이 B"),
        ("엔비디아", "엔비디아"),
        ("테슬라", "테슬라"),
        ("코덱스200", "KODEX 200"),
        ("타이거 미국나스닥", "TIGER 미국나스닥100"),
        ("에이스 krx", "ACE KRX금현물"),
        ("솔 조선", "SOL 조선TOP3플러스"),
        ("에스케이하이", "SK하이닉스"),
        ("코덱스 미국에스앤피", "KODEX 미국S&P500"),
        ("ㅋㄷㅅ200", "KODEX 200"),
        ("티에스엠", "TSMC(ADR)"),
    ] {
        assert!(
            find(text).contains(&name.to_owned()),
            "{text}: {:?}",
            find(text)
        );
    }
}

#[test]
fn queries_typed_on_the_other_keyboard_are_found() {
    for (text, name) in [
        ("tkatjdwjswk", "삼성전자"),
        ("TKATJDWJSWK", "삼성전자"),
        ("tkatjdwjs", "삼성전자"),
        ("tk a tjd", "삼성전자"),
        ("spdlqj", "NAVER"),
        ("zkzkdhqodzm", "카카오뱅크"),
        ("dpsqleldk", "엔비디아"),
        ("zheprtm200", "KODEX 200"),
        ("ttww", "삼성전자"),
        ("메ㅔㅣㄷ", "애플"),
        ("ㅜㅍㅇㅁ", "엔비디아"),
        ("ㅏㅐㅇㄷㅌ200", "KODEX 200"),
        ("ㅠㅅㅊ", "비트코인"),
    ] {
        let found = find(text);
        assert!(found.contains(&name.to_owned()), "{text}: {found:?}");
    }
    for (text, name) in [
        ("tkatjdwjswk", "삼성전자"),
        ("메ㅔㅣㄷ", "애플"),
        ("ㅜㅍㅇㅁ", "엔비디아"),
    ] {
        assert_eq!(find(text)[0], name, "{text}");
    }
    // A query with direct matches is not interpreted as typed on the other layout.
    for text in ["sk", "lg", "kt", "apple"] {
        let found = find(text);
        assert!(!found.is_empty());
        let korean = hangul::from_english_keys(text).unwrap();
        let is_other = |name: &String| hangul::key_strokes(name).contains(&korean);
        assert!(!found.iter().any(is_other), "{text}: {found:?}");
    }
}

#[test]
fn better_matches_come_first_and_popularity_breaks_ties() {
    let names = find("하이닉스");
    assert_eq!(names[0], "SK하이닉스");
    let index = index();
    let popular = ["005935".to_owned()];
    let found = index.find("삼성", &[Kospi], &popular, 1).items;
    let codes: Vec<&str> = found.iter().map(|row| row.code.as_str()).collect();
    // The exact name first; among prefix matches the popular one.
    assert_eq!(codes[..2], ["005930", "005935"]);
    let coins = index.find("ㅂ", &[Coin], &[], 1).items;
    assert!(!coins.is_empty() && coins.iter().all(|row| row.market == Coin));
}

#[test]
fn names_with_a_typo_are_found_only_without_better_matches() {
    assert_eq!(find("네이버")[0], "NAVER");
    for name in ["네이처셀", "GE 버노바"] {
        assert!(!find("네이버").contains(&name.to_owned()), "{name}");
        assert!(find(name).contains(&name.to_owned()), "{name}");
    }
    assert!(find("네이쳐셀").contains(&"네이처셀".to_owned()));
    // A market without the name corrects it on its own.
    let coins = index().find("비트고인", &[Coin], &[], 1).items;
    assert!(coins.iter().any(|row| row.korean_name == "비트코인"));
}

#[test]
fn an_empty_query_matches_nothing() {
    for text in ["", "   ", "없는이름입니다", "\u{0}", "%", "zzzz"] {
        assert_eq!(find(text), Vec::<String>::new(), "{text:?}");
    }
    let _bounded = find(&"가".repeat(100_000));
}

/// The index finds the same items as the reference implementation, in the same order, on every
/// page.
#[test]
fn the_index_agrees_with_the_reference_implementation() {
    let index = index();
    let popular = ["005935", "000660", "KRW-BTC", "AAPL", "069500"].map(str::to_owned);
    for text in texts() {
        let expected = reference::find(&index.items, &text, &popular);
        let mut pages = Vec::new();
        for page in 1.. {
            let found = index.find(&text, &[], &popular, page);
            assert_eq!(
                (found.total, found.page),
                (expected.len(), page),
                "{text:?}"
            );
            if found.items.is_empty() {
                break;
            }
            pages.extend(found.items.iter().map(|one| one.code.clone()));
        }
        assert_eq!(pages, expected, "{text:?}");
    }
}

/// Parts of real names, unchanged and with every kind of typo.
fn texts() -> Vec<String> {
    let universe = seed::MARKET.read().unwrap();
    let mut texts: Vec<String> = [
        "ㄱ", "ㅅㅅ", "a", "0", "삼ㅅ", "ㅄ", "kodex", "s&p", "1q", "\u{0}삼",
    ]
    .map(str::to_owned)
    .to_vec();
    for instrument in universe.instruments.iter().step_by(101) {
        let names = [
            &instrument.korean_name,
            &instrument.english_name,
            &instrument.code,
        ];
        for name in names {
            let characters: Vec<char> = hangul::fold(name).chars().collect();
            for (from, length) in [(0, 1), (0, 2), (0, 4), (1, 2), (1, 3), (2, 5)] {
                let part = characters.iter().skip(from).take(length);
                let part: Vec<char> = part.copied().collect();
                for at in 0..part.len() {
                    let (mut replaced, mut left_out, mut added, mut swapped) =
                        (part.clone(), part.clone(), part.clone(), part.clone());
                    replaced[at] = '쀍';
                    left_out.remove(at);
                    added.insert(at, 'ㅋ');
                    swapped.swap(at, (at + 1) % part.len());
                    for spoiled in [replaced, left_out, added, swapped] {
                        texts.push(spoiled.into_iter().collect());
                    }
                }
                let part: String = part.into_iter().collect();
                texts.push(hangul::initials(&part));
                texts.extend(hangul::from_english_keys(&part));
                texts.extend(hangul::to_english_keys(&hangul::key_strokes(&part)));
                let mut strokes = hangul::key_strokes(&part);
                strokes.pop();
                texts.push(strokes);
                texts.push(part);
            }
        }
    }
    texts.sort_unstable();
    texts.dedup();
    texts
}
