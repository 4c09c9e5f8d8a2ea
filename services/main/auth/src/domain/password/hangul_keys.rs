//! Converts Hangul to the keys that type it on the Korean standard keyboard.
//!
//! Many people type a Korean word on the English layout. As keystrokes, 비밀번호 and `qlalfqjsgh`
//! are one entry of the word list.

const INITIALS: [&str; 19] = [
    "r", "r", "s", "e", "e", "f", "a", "q", "q", "t", "t", "d", "w", "w", "c", "z", "x", "v", "g",
];
const VOWELS: [&str; 21] = [
    "k", "o", "i", "o", "j", "p", "u", "p", "h", "hk", "ho", "hl", "y", "n", "nj", "np", "nl", "b",
    "m", "ml", "l",
];
const FINALS: [&str; 28] = [
    "", "r", "r", "rt", "s", "sw", "sg", "e", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg", "a",
    "q", "qt", "t", "t", "d", "w", "c", "z", "x", "v", "g",
];
/// The separate consonants U+3131 to U+314E.
const CONSONANTS: [&str; 30] = [
    "r", "r", "rt", "s", "sw", "sg", "e", "e", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg", "a",
    "q", "q", "qt", "t", "t", "d", "w", "w", "c", "z", "x", "v", "g",
];

/// In lower case; characters other than Hangul are unchanged.
pub(super) fn keystrokes(text: &str) -> Vec<char> {
    let mut keys = Vec::with_capacity(text.len());
    for symbol in text.chars().flat_map(char::to_lowercase) {
        match keys_of(symbol) {
            Some(parts) => keys.extend(parts.iter().flat_map(|part| part.chars())),
            None => keys.push(symbol),
        }
    }
    keys
}

fn keys_of(symbol: char) -> Option<[&'static str; 3]> {
    let code = u32::from(symbol);
    match code {
        0xAC00..=0xD7A3 => {
            let index = code - 0xAC00;
            Some([
                pick(&INITIALS, index / 588)?,
                pick(&VOWELS, index % 588 / 28)?,
                pick(&FINALS, index % 28)?,
            ])
        }
        0x3131..=0x314E => Some([pick(&CONSONANTS, code - 0x3131)?, "", ""]),
        0x314F..=0x3163 => Some([pick(&VOWELS, code - 0x314F)?, "", ""]),
        _ => None,
    }
}

fn pick(keys: &[&'static str], index: u32) -> Option<&'static str> {
    keys.get(usize::try_from(index).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_become_the_keys_that_type_them() {
        for (text, keys) in [
            ("비밀번호", "qlalfqjsgh"),
            ("사랑해", "tkfkdgo"),
            ("안녕하세요", "dkssudgktpdy"),
            ("뷁", "qnpfr"),
            ("ㅁㄴㅇㄹ", "asdf"),
            ("ㅏㅣ", "kl"),
            ("Ant 7", "ant 7"),
        ] {
            assert_eq!(keystrokes(text).iter().collect::<String>(), keys, "{text}");
        }
    }
}
