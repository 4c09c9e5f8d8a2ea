//! Detects passwords that are among an attacker's first guesses.
//!
//! Guesses combine few pieces: a common word, a year, a run of keys. So a password is split into
//! the fewest pieces, and rejected if they are at most [`FEWEST_PIECES`]. One word list
//! (`data/common_passwords.txt`) thereby covers every suffix and keyboard layout.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::hangul_keys::keystrokes;
use super::keyboard;

/// A password of so many pieces is rejected.
const FEWEST_PIECES: usize = 3;

/// A repeated unit of at most so many characters is rejected.
const SHORT_UNIT_CHARS: usize = 4;

const WORD_KEYS: std::ops::RangeInclusive<usize> = 3..=24;

/// As keystrokes, with look-alikes folded.
static WORDS: LazyLock<HashSet<Vec<char>>> = LazyLock::new(|| {
    include_str!("../../../data/common_passwords.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .map(|word| look_alikes(&keystrokes(word)))
        .collect()
});

/// Expects a composed password.
pub(super) fn is_guessable(text: &str) -> bool {
    let symbols: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    if period(&symbols) <= SHORT_UNIT_CHARS {
        return true;
    }
    // Spaces between pieces do not make a password harder to guess.
    let keys: Vec<char> = keystrokes(text)
        .into_iter()
        .filter(|key| !key.is_whitespace())
        .collect();
    let unit = keys.get(..period(&keys)).unwrap_or(&keys);
    pieces(unit) <= FEWEST_PIECES
}

/// The fewest pieces of `keys`: runs, words, years and dates count one, up to four other digits
/// count two, any other key counts one.
fn pieces(keys: &[char]) -> usize {
    let folded = look_alikes(keys);
    let mut fewest = vec![usize::MAX; keys.len() + 1];
    set(&mut fewest, 0, 0);
    for at in 0..keys.len() {
        let so_far = fewest.get(at).copied().unwrap_or(usize::MAX);
        let rest = keys.get(at..).unwrap_or_default();
        set(&mut fewest, at + 1, so_far + 1);
        if let Some(length) = keyboard::run(rest) {
            // A run may also end early, where a word starts.
            for shorter in 3..=length {
                set(&mut fewest, at + shorter, so_far + 1);
            }
        }
        for length in WORD_KEYS {
            let Some(part) = folded.get(at..at + length) else {
                break;
            };
            if WORDS.contains(part) {
                set(&mut fewest, at + length, so_far + 1);
            }
        }
        for (length, cost) in [(8, 1), (4, 1), (4, 2), (3, 2)] {
            if rest.get(..length).is_some_and(|part| is_number(part, cost)) {
                set(&mut fewest, at + length, so_far + cost);
            }
        }
    }
    fewest.last().copied().unwrap_or(0)
}

fn set(fewest: &mut [usize], at: usize, pieces: usize) {
    if let Some(slot) = fewest.get_mut(at) {
        *slot = pieces.min(*slot);
    }
}

/// Any digits for two pieces; for one piece a year (4) or a date of the form yyyymmdd (8).
fn is_number(part: &[char], cost: usize) -> bool {
    let digits: String = part.iter().filter(|key| key.is_ascii_digit()).collect();
    if digits.len() != part.len() {
        return false;
    }
    let in_range = |range: std::ops::Range<usize>, low: u32, high: u32| {
        digits
            .get(range)
            .and_then(|text| text.parse().ok())
            .is_some_and(|number: u32| (low..=high).contains(&number))
    };
    let year = in_range(0..4, 1900, 2099);
    match (cost, digits.len()) {
        (1, 4) => year,
        (1, 8) => year && in_range(4..6, 1, 12) && in_range(6..8, 1, 31),
        (2, _) => true,
        _ => false,
    }
}

/// The length of the shortest unit whose repetition is `text`; the last one may be cut.
fn period(text: &[char]) -> usize {
    (1..text.len())
        .find(|shift| {
            // At least twice, or the end of a word would count as a repetition.
            2 * shift <= text.len()
                && text
                    .iter()
                    .skip(*shift)
                    .eq(text.iter().take(text.len() - shift))
        })
        .unwrap_or(text.len())
}

/// Folds digits and signs that replace letters.
fn look_alikes(keys: &[char]) -> Vec<char> {
    let fold = |key: &char| match key {
        '1' | 'l' | '!' => 'i',
        '0' => 'o',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => *other,
    };
    keys.iter().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("aaaaaaaaaa")]
    #[case("ㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋ")]
    #[case("하하하하하하하하하하")]
    #[case("ababababab")]
    #[case("q7z2q7z2q7z2")]
    #[case("1234567890")]
    #[case("0987654321")]
    #[case("abcdefghij")]
    #[case("qwertyuiop")]
    #[case("QWERTYuiop[]")]
    #[case("1q2w3e4r5t")]
    #[case("1qaz2wsx3edc")]
    #[case("asdfghjkl;")]
    #[case("password123")]
    #[case("Password2026!")]
    #[case("P@ssw0rd123!")]
    #[case("passwordpassword")]
    #[case("iloveyou1234")]
    #[case("seedup20260101")]
    #[case("시드업1234567")]
    #[case("비밀번호비밀번호비밀")]
    #[case("qlalfqjsgh12")]
    #[case("tkfkdgo1004")]
    #[case("사랑해요 대한민국 2026")]
    #[case("가나다라마바사아자차")]
    #[case("ㅁㄴㅇㄹㅁㄴㅇㄹㅁㄴ")]
    #[case("19900101qwer")]
    #[case("01012345678")]
    #[case("samsung전자123")]
    fn what_a_guesser_tries_first_is_refused(#[case] text: &str) {
        assert!(is_guessable(text));
    }

    #[rstest]
    #[case("correct horse battery")]
    #[case("password is not enough")]
    #[case("8362917405")]
    #[case("한강에서 치킨 먹자")]
    #[case("tr0ub4dor&3x")]
    #[case("mypasswordisgood")]
    fn what_takes_more_pieces_is_accepted(#[case] text: &str) {
        assert!(!is_guessable(text));
    }

    #[test]
    fn the_list_covers_far_more_than_its_words() {
        assert!(WORDS.len() >= 400, "{}", WORDS.len());
        let endings = [
            "123", "1234", "12345", "2025", "2026", "1004", "!!", "123!", "1990", "777",
        ];
        let mut refused = 0_usize;
        for word in WORDS.iter().map(|word| word.iter().collect::<String>()) {
            for ending in endings {
                assert!(is_guessable(&format!("{word}{ending}")), "{word}{ending}");
                refused += 1;
            }
        }
        assert!(refused >= 3_000);
    }
}
