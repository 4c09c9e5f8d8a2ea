//! Korean text processing: folding, initial consonants, key strokes and particles.

use unicode_normalization::UnicodeNormalization;

const FIRST_SYLLABLE: u32 = 0xAC00;
const LAST_SYLLABLE: u32 = 0xD7A3;
const VOWELS: u32 = 21;
const FINALS: u32 = 28;

/// Initial consonants in the order of the syllable block.
const INITIAL: [char; 19] = [
    'ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ',
    'ㅌ', 'ㅍ', 'ㅎ',
];
/// Key strokes of the vowels.
const VOWEL: [&str; 21] = [
    "ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ", "ㅛ", "ㅜ",
    "ㅜㅓ", "ㅜㅔ", "ㅜㅣ", "ㅠ", "ㅡ", "ㅡㅣ", "ㅣ",
];
/// Key strokes of the final consonants.
const FINAL: [&str; 28] = [
    "", "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ",
    "ㄹㅌ", "ㄹㅍ", "ㄹㅎ", "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ",
    "ㅎ",
];

/// The Korean letter of each key from `a` to `z`.
const KOREAN_KEY: [char; 26] = [
    'ㅁ', 'ㅠ', 'ㅊ', 'ㅇ', 'ㄷ', 'ㄹ', 'ㅎ', 'ㅗ', 'ㅑ', 'ㅓ', 'ㅏ', 'ㅣ', 'ㅡ', 'ㅜ', 'ㅐ', 'ㅔ',
    'ㅂ', 'ㄱ', 'ㄴ', 'ㅅ', 'ㅕ', 'ㅍ', 'ㅈ', 'ㅌ', 'ㅛ', 'ㅋ',
];
/// The keys whose shifted letter differs.
const KOREAN_SHIFTED: [(char, char); 7] = [
    ('Q', 'ㅃ'),
    ('W', 'ㅉ'),
    ('E', 'ㄸ'),
    ('R', 'ㄲ'),
    ('T', 'ㅆ'),
    ('O', 'ㅒ'),
    ('P', 'ㅖ'),
];

/// NFC, lower case, without spaces.
#[must_use]
pub fn fold(text: &str) -> String {
    let composed = text.nfc().flat_map(char::to_lowercase);
    composed
        .filter(|character| !character.is_whitespace())
        .collect()
}

/// The initial consonant of each syllable; other characters are kept.
#[must_use]
pub fn initials(folded: &str) -> String {
    let initial = |character: char| match block(character) {
        Some((initial, _, _)) => initial,
        None => character,
    };
    folded.chars().map(initial).collect()
}

/// The key strokes that type a text. A half-typed syllable is a prefix of the complete one.
#[must_use]
pub fn key_strokes(folded: &str) -> String {
    let mut strokes = String::with_capacity(folded.len() * 2);
    for character in folded.chars() {
        match block(character) {
            Some((initial, vowel, last)) => {
                strokes.push(initial);
                strokes.push_str(vowel);
                strokes.push_str(last);
            }
            None => match compound(character) {
                Some(parts) => strokes.push_str(parts),
                None => strokes.push(character),
            },
        }
    }
    strokes
}

/// The key strokes of Korean text typed on an English layout; `None` for other text. Capitals are
/// shifted keys, so the text must not be folded.
#[must_use]
pub fn from_english_keys(text: &str) -> Option<String> {
    if !text.is_ascii() || !text.contains(|key: char| key.is_ascii_alphabetic()) {
        return None;
    }
    let shifted = |key: char| KOREAN_SHIFTED.iter().find(|(shifted, _)| *shifted == key);
    let plain = |key: char| {
        let index = u32::from(key.to_ascii_lowercase()).checked_sub(u32::from('a'))?;
        KOREAN_KEY.get(usize::try_from(index).ok()?)
    };
    let letter = |key: char| match shifted(key) {
        Some((_, letter)) => *letter,
        None => *plain(key).unwrap_or(&key),
    };
    let keys = text.chars().filter(|key| !key.is_whitespace());
    Some(keys.map(letter).collect())
}

/// The English text with these key strokes on a Korean layout; `None` if a stroke is on neither.
#[must_use]
pub fn to_english_keys(strokes: &str) -> Option<String> {
    let key = |letter: char| {
        if letter.is_ascii() {
            return Some(letter);
        }
        if let Some((shifted, _)) = KOREAN_SHIFTED.iter().find(|(_, korean)| *korean == letter) {
            return Some(shifted.to_ascii_lowercase());
        }
        let index = KOREAN_KEY.iter().position(|korean| *korean == letter)?;
        char::from_u32(u32::from('a') + u32::try_from(index).ok()?)
    };
    strokes.chars().map(key).collect()
}

/// Whether the text has initial consonants and neither vowels nor syllables.
#[must_use]
pub fn is_initials_query(folded: &str) -> bool {
    let is_consonant = |character: char| ('ㄱ'..='ㅎ').contains(&character);
    folded.chars().any(is_consonant)
        && folded
            .chars()
            .all(|character| is_consonant(character) || character.is_ascii())
}

/// Particles whose form depends on the final sound of the word before: with one, and without.
const PARTICLES: [(&str, &str); 7] = [
    ("이에요", "예요"),
    ("이라", "라"),
    ("으로", "로"),
    ("을", "를"),
    ("은", "는"),
    ("과", "와"),
    ("이", "가"),
];

/// The final sound of a word, empty after a vowel. Digits are read as they are spoken, `%` as 퍼센트
/// and `g` as 그램; `None` for other letters.
fn final_sound(word: &str) -> Option<&'static str> {
    match word.chars().next_back()? {
        // 영, 십, 백, 천 and 만 differ in a sound that no particle depends on.
        '0' => Some("ㅇ"),
        '1' | '7' | '8' => Some("ㄹ"),
        '3' | 'g' => Some("ㅁ"),
        '6' => Some("ㄱ"),
        '2' | '4' | '5' | '9' | '%' => Some(""),
        letter => block(letter).map(|(_, _, last)| last),
    }
}

/// The particle at the start of `rest` in the form that follows `word`, and its length in `rest`.
/// `None` if `rest` begins with none.
#[must_use]
pub fn particle_after(word: &str, rest: &str) -> Option<(&'static str, usize)> {
    let last = final_sound(word)?;
    let ends = |length: usize| {
        let next = rest.get(length..).and_then(|rest| rest.chars().next());
        next.is_none_or(|next| !('가'..='힣').contains(&next))
    };
    PARTICLES.iter().find_map(|(with, without)| {
        let found = [*with, *without].into_iter().find(|form| {
            rest.starts_with(form) && (form.chars().count() > 1 || ends(form.len()))
        })?;
        // ㄹ takes 로 as a vowel does.
        let is_open = last.is_empty() || (*without == "로" && last == "ㄹ");
        let form = if is_open { *without } else { *with };
        Some((form, found.len()))
    })
}

fn block(character: char) -> Option<(char, &'static str, &'static str)> {
    let code = u32::from(character);
    if !(FIRST_SYLLABLE..=LAST_SYLLABLE).contains(&code) {
        return None;
    }
    let index = code - FIRST_SYLLABLE;
    let initial = usize::try_from(index / (VOWELS * FINALS)).ok()?;
    let vowel = usize::try_from(index / FINALS % VOWELS).ok()?;
    let last = usize::try_from(index % FINALS).ok()?;
    Some((*INITIAL.get(initial)?, VOWEL.get(vowel)?, FINAL.get(last)?))
}

/// The two keys of a compound letter that stands alone.
fn compound(character: char) -> Option<&'static str> {
    Some(match character {
        'ㄳ' => "ㄱㅅ",
        'ㄵ' => "ㄴㅈ",
        'ㄶ' => "ㄴㅎ",
        'ㄺ' => "ㄹㄱ",
        'ㄻ' => "ㄹㅁ",
        'ㄼ' => "ㄹㅂ",
        'ㄽ' => "ㄹㅅ",
        'ㄾ' => "ㄹㅌ",
        'ㄿ' => "ㄹㅍ",
        'ㅀ' => "ㄹㅎ",
        'ㅄ' => "ㅂㅅ",
        'ㅘ' => "ㅗㅏ",
        'ㅙ' => "ㅗㅐ",
        'ㅚ' => "ㅗㅣ",
        'ㅝ' => "ㅜㅓ",
        'ㅞ' => "ㅜㅔ",
        'ㅟ' => "ㅜㅣ",
        'ㅢ' => "ㅡㅣ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_folded() {
        assert_eq!(fold(" SK 하이닉스 "), "sk하이닉스");
        assert_eq!(fold("\u{1109}\u{1161}\u{11B7}"), "삼");
    }

    #[test]
    fn syllables_come_apart() {
        assert_eq!(initials("sk하이닉스"), "skㅎㅇㄴㅅ");
        assert_eq!(key_strokes("삼성"), "ㅅㅏㅁㅅㅓㅇ");
        assert_eq!(key_strokes("값과"), "ㄱㅏㅂㅅㄱㅗㅏ");
        assert_eq!(key_strokes("ㅄ"), "ㅂㅅ");
        assert_eq!(initials("가힣"), "ㄱㅎ");
    }

    #[test]
    fn the_other_keyboard_is_read_both_ways() {
        for (keys, text) in [
            ("tkatjdwjswk", "삼성전자"),
            ("dpfdptm dlffprxmflr", "엘에스일렉트릭"),
            ("QkfRkd", "빨깡"),
            ("zkzkdhqodzm", "카카오뱅크"),
            ("rkqt", "값"),
            ("ttww", "ㅅㅅㅈㅈ"),
            ("dos200", "앤200"),
        ] {
            assert_eq!(
                from_english_keys(keys).unwrap(),
                key_strokes(text),
                "{keys}"
            );
            let folded = fold(keys);
            assert_eq!(
                to_english_keys(&key_strokes(text)).unwrap(),
                folded,
                "{keys}"
            );
        }
        for other in ["", "200", "삼성", "sk하이닉스"] {
            assert_eq!(from_english_keys(other), None, "{other}");
        }
        assert_eq!(to_english_keys("ㄱŁ"), None);
        assert_eq!(to_english_keys(&key_strokes("메ㅔㅣㄷ")).unwrap(), "apple");
    }

    #[test]
    fn a_particle_follows_the_final_sound() {
        for (word, rest, expected) in [
            ("1억원", "예요.", Some("이에요")),
            ("15.4%", "이에요.", Some("예요")),
            ("15.4%", "을 떼요", Some("를")),
            ("10원", "를 떼요", Some("을")),
            ("오후 4시", "이에요", Some("예요")),
            ("2026", "로", Some("으로")),
            ("연필", "으로", Some("로")),
            ("1", "으로", Some("로")),
            ("17", "으로", Some("로")),
            ("8", "를", Some("을")),
            ("100", "로", Some("으로")),
            ("9", "으로", Some("로")),
            ("숲 테마", "을", Some("를")),
            ("다시 시작 티켓", "를", Some("을")),
            ("VIP", "을", None),
            ("", "을", None),
            ("10원", "까지", None),
            ("10원", "이고", None),
        ] {
            let found = particle_after(word, rest).map(|(form, _)| form);
            assert_eq!(found, expected, "{word} {rest}");
        }
        assert_eq!(
            particle_after("1억원", "예요."),
            Some(("이에요", "예요".len()))
        );
    }

    #[test]
    fn initials_are_recognised() {
        for (text, asks) in [
            ("ㅅㅅㅈㅈ", true),
            ("skㅎㅇ", true),
            ("삼ㅅ", false),
            ("sk", false),
            ("ㅅㅏ", false),
        ] {
            assert_eq!(is_initials_query(text), asks, "{text}");
        }
    }
}
