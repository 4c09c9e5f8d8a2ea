//! The text as it is stored: composed, without what cannot be seen.

use unicode_normalization::UnicodeNormalization;

use super::characters::{
    EMOJI_FORM, JOINER, is_invisible, is_mark, is_pictograph, is_skin_colour, is_visible,
};

/// Removes control and invisible characters, composes (NFC), shortens stacks of marks and rows of
/// empty lines, and trims. A text without a visible character is empty.
#[must_use]
pub fn clean(raw: &str) -> String {
    // First, because marks on both sides of an invisible character are one stack to a reader.
    let visible = without_invisible(raw);
    let mut marks = 0;
    let composed = visible.nfc().filter(|character| {
        marks = if is_mark(*character) { marks + 1 } else { 0 };
        marks <= MOST_MARKS
    });
    let composed: String = composed.collect();
    with_few_empty_lines(&composed).trim().to_owned()
}

/// Joiners and forms of emoji stay where they belong to one.
fn without_invisible(raw: &str) -> String {
    let raw = raw.replace("\r\n", "\n");
    let characters = raw.chars().filter_map(|character| match character {
        '\n' | '\u{2028}' | '\u{2029}' => Some('\n'),
        '\t' | '\r' => Some(' '),
        JOINER | EMOJI_FORM => Some(character),
        _ if is_invisible(character) => None,
        _ => Some(character),
    });
    let mut characters = characters.peekable();
    let mut text = String::with_capacity(raw.len());
    let mut before = '\n';
    while let Some(character) = characters.next() {
        let is_kept = match character {
            EMOJI_FORM => is_pictograph(before),
            JOINER => {
                (is_pictograph(before) || is_skin_colour(before) || before == EMOJI_FORM)
                    && characters.peek().is_some_and(|after| is_pictograph(*after))
            }
            _ => true,
        };
        if is_kept {
            text.push(character);
            before = character;
        }
    }
    text
}

/// One between two others at most.
fn with_few_empty_lines(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut is_after_empty = true;
    for line in text.split('\n') {
        let is_empty = !line.chars().any(is_visible);
        if !is_empty {
            kept.push_str(line);
        }
        if !(is_empty && is_after_empty) {
            kept.push('\n');
        }
        is_after_empty = is_empty;
    }
    kept
}

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
            ("첫 줄\u{2028}둘째 줄", "첫 줄\n둘째 줄"),
        ] {
            assert_eq!(clean(raw), text, "{raw:?}");
        }
    }

    #[test]
    fn joiners_and_forms_stay_in_emoji_alone() {
        for text in [
            "👨\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
            "🏳\u{fe0f}\u{200d}🌈",
            "🧑🏽\u{200d}💻",
            "🇰🇷 👍🏽",
        ] {
            assert_eq!(clean(text), text, "{text:?}");
        }
        for (raw, text) in [
            ("카\u{fe0f}톡", "카톡"),
            ("1\u{fe0f}2", "12"),
            ("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}"),
            ("👨\u{200d}", "👨"),
            ("\u{200d}👨", "👨"),
            ("가\u{200d}👨", "가👨"),
            ("👨\u{200d}\u{200b}\u{200d}👩", "👨\u{200d}👩"),
        ] {
            assert_eq!(clean(raw), text, "{raw:?}");
        }
    }

    #[test]
    fn stacks_of_marks_are_short() {
        for between in [
            "",
            "\u{200b}",
            "\u{ad}",
            "\u{e0100}",
            "\u{fe0f}",
            "\u{200d}",
        ] {
            let stacked = format!("a{}", format!("\u{335}{between}").repeat(40));
            assert_eq!(clean(&stacked), format!("a{}", "\u{335}".repeat(3)));
        }
    }

    #[test]
    fn a_text_without_a_visible_character_is_empty() {
        for raw in [
            "\u{300}",
            " \u{335}\n\u{20e3}",
            "\u{2800}\u{3164}",
            "\u{fe0f}\u{200d}",
            "\u{e000}\u{e0100}\u{1bca0}\u{fffc}",
        ] {
            assert_eq!(clean(raw), "", "{raw:?}");
        }
    }

    #[test]
    fn rows_of_empty_lines_are_one() {
        for (raw, text) in [
            ("하나\n\n둘", "하나\n\n둘"),
            ("하나\n\n\n\n\n둘", "하나\n\n둘"),
            ("하나\r\n \r\n\u{3164}\r\n둘", "하나\n\n둘"),
            ("하나\n\u{300}\n\u{a0}\n  둘", "하나\n\n  둘"),
        ] {
            assert_eq!(clean(raw), text, "{raw:?}");
        }
    }
}
