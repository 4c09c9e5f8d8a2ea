//! Texts as they are compared: without what a writer varies to hide a word.

use unicode_normalization::UnicodeNormalization;

use super::characters::{is_ignorable, is_mark};

/// Compatible forms composed, in lower case, without marks on letters and with look-alike letters
/// replaced. Spaces and punctuation stay.
#[must_use]
pub(super) fn unify(text: &str) -> String {
    unify_but_capitals(text).to_ascii_lowercase()
}

/// As [`unify`], but Latin capitals stay.
#[must_use]
pub(super) fn unify_but_capitals(text: &str) -> String {
    let is_left_out = |one: &char| is_mark(*one) || is_ignorable(*one);
    let bare = text.nfkd().filter(|one| !is_left_out(one)).nfc();
    let unified = bare.flat_map(|one| {
        let is_capital = one.is_uppercase();
        one.to_lowercase().map(plain).map(move |plain| {
            if is_capital {
                plain.to_ascii_uppercase()
            } else {
                plain
            }
        })
    });
    unified.collect()
}

/// As [`unify`], with letters and digits alone.
#[must_use]
pub(super) fn condense(text: &str) -> String {
    Condensed::new(text, char::is_alphanumeric).text
}

/// A text without what stands between its letters, which are read as they are next to each other.
#[derive(Debug)]
pub(super) struct Condensed {
    pub(super) text: String,
    /// The places in `text`, ascending, before which something was left out or nothing is.
    starts: Vec<usize>,
}

impl Condensed {
    pub(super) fn new(text: &str, is_kept: impl Fn(char) -> bool) -> Self {
        let (mut condensed, mut starts) = (String::with_capacity(text.len()), Vec::new());
        let mut is_start = true;
        for character in unify(text).chars() {
            if is_kept(character) {
                if is_start {
                    starts.push(condensed.len());
                }
                condensed.push(character);
            }
            is_start = !is_kept(character);
        }
        Self {
            text: condensed,
            starts,
        }
    }

    pub(super) fn is_start(&self, place: usize) -> bool {
        self.starts.binary_search(&place).is_ok()
    }
}

/// Letters of other alphabets that are drawn like Latin ones, and full stops of other scripts.
fn plain(character: char) -> char {
    match character {
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'һ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' => 'm',
        'ո' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' => 'v',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        '。' => '.',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_a_word_are_the_same() {
        for (text, condensed) in [
            ("오.픈 채-팅", "오픈채팅"),
            ("ＶＩＰ방", "vip방"),
            ("tеlеgrаm", "telegram"),
            ("ⓥⓘⓟ", "vip"),
            ("텔\u{336}레\u{20e3}그\u{fe0f}램", "텔레그램"),
            ("İD café", "idcafe"),
            ("\u{1109}\u{1161}\u{11b7}성", "삼성"),
        ] {
            assert_eq!(condense(text), condensed);
        }
    }

    #[test]
    fn capitals_stay_where_they_are_asked_for() {
        for (text, unified) in [
            ("KOSPI 지수 kospi", "KOSPI 지수 kospi"),
            ("ＶＩＰ ⓥⓘⓟ", "VIP vip"),
            ("tеlеgrаm ТЕlegram", "telegram TElegram"),
        ] {
            assert_eq!(unify_but_capitals(text), unified);
            assert_eq!(unify(text), unified.to_lowercase());
        }
    }
}
