//! The text as it is stored: composed, without what cannot be seen.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Composes (NFC), removes control and invisible characters, shortens stacks of marks, and trims.
/// Joiners stay inside of emoji.
#[must_use]
pub fn clean(raw: &str) -> String {
    let composed: Vec<char> = raw.replace("\r\n", "\n").nfc().collect();
    let mut text = String::with_capacity(raw.len());
    let mut marks = 0;
    for (place, character) in composed.iter().copied().enumerate() {
        marks = if is_combining_mark(character) {
            marks + 1
        } else {
            0
        };
        let neighbour = |place: Option<usize>| place.and_then(|place| composed.get(place));
        let is_joined = || {
            neighbour(place.checked_sub(1)).is_some_and(|before| is_pictograph(*before))
                && neighbour(place.checked_add(1)).is_some_and(|after| is_pictograph(*after))
        };
        match character {
            '\n' => text.push('\n'),
            '\t' | '\r' => text.push(' '),
            JOINER if is_joined() => text.push(JOINER),
            _ if character.is_control() || is_invisible(character) || marks > MOST_MARKS => {}
            _ => text.push(character),
        }
    }
    text.trim().to_owned()
}

/// Fills no space and only hides what is written.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0e}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{e0000}'..='\u{e0fff}'
            | '\u{f0000}'..='\u{10ffff}'
    )
}

fn is_pictograph(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}'
    )
}

const JOINER: char = '\u{200d}';
/// More marks on one letter only cover the lines around it.
const MOST_MARKS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_composed_and_cleaned() {
        for (raw, text) in [
            (" 안녕\r\n하세요\t! ", "안녕\n하세요 !"),
            ("\u{1109}\u{1161}\u{11b7}성", "삼성"),
            ("오\u{200b}픈\u{2060}채\u{feff}팅", "오픈채팅"),
            ("가\u{200d}나", "가나"),
            ("\u{202e}거꾸로", "거꾸로"),
            ("\u{0}a\u{7}b\u{1b}[31m", "ab[31m"),
            ("👨\u{200d}👩\u{200d}👧", "👨\u{200d}👩\u{200d}👧"),
            ("❤\u{fe0f}\u{200d}🔥", "❤\u{fe0f}\u{200d}🔥"),
            ("🇰🇷 👍🏽", "🇰🇷 👍🏽"),
        ] {
            assert_eq!(clean(raw), text, "{raw:?}");
        }
        let stacked = format!("a{}", "\u{335}".repeat(40));
        assert_eq!(clean(&stacked).chars().count(), 4);
    }
}
