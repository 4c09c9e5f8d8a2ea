//! Korean text taken apart: folded words, initial consonants and key strokes.

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
/// Vowels, as the keys that make them.
const VOWEL: [&str; 21] = [
    "ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ", "ㅛ", "ㅜ",
    "ㅜㅓ", "ㅜㅔ", "ㅜㅣ", "ㅠ", "ㅡ", "ㅡㅣ", "ㅣ",
];
/// Final consonants, as the keys that make them.
const FINAL: [&str; 28] = [
    "", "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ",
    "ㄹㅌ", "ㄹㅍ", "ㄹㅎ", "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ",
    "ㅎ",
];

/// Composed, lower-case, without spaces.
pub(super) fn fold(text: &str) -> String {
    let composed = text.nfc().flat_map(char::to_lowercase);
    composed
        .filter(|character| !character.is_whitespace())
        .collect()
}

/// The initial consonant of every syllable; other characters stay.
pub(super) fn initials(folded: &str) -> String {
    let initial = |character: char| match block(character) {
        Some((initial, _, _)) => initial,
        None => character,
    };
    folded.chars().map(initial).collect()
}

/// What one types to write it: every syllable and compound letter taken apart. A half-typed
/// syllable is then a prefix of the whole.
pub(super) fn key_strokes(folded: &str) -> String {
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

/// Whether the text asks for initial consonants: it has some, and no vowel or syllable.
pub(super) fn asks_for_initials(folded: &str) -> bool {
    let is_consonant = |character: char| ('ㄱ'..='ㅎ').contains(&character);
    folded.chars().any(is_consonant)
        && folded
            .chars()
            .all(|character| is_consonant(character) || character.is_ascii())
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

/// The keys of a letter that stands alone and takes two of them.
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
    fn initials_are_recognised() {
        for (text, asks) in [
            ("ㅅㅅㅈㅈ", true),
            ("skㅎㅇ", true),
            ("삼ㅅ", false),
            ("sk", false),
            ("ㅅㅏ", false),
        ] {
            assert_eq!(asks_for_initials(text), asks, "{text}");
        }
    }
}
