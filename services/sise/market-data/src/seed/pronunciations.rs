//! Korean pronunciations of Latin words in names: a member who has only heard KODEX types 코덱스.

use std::collections::HashMap;

use serde::Deserialize;

use super::SeedError;
use super::csv_file::CsvFile;
use crate::catalogue::Instrument;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PronunciationRecord {
    written: String,
    spoken: String,
}

/// Pronunciation by word.
pub(super) type Pronunciations = HashMap<String, String>;

pub(super) fn read(csv_file: &CsvFile) -> Result<Pronunciations, SeedError> {
    let mut words = Pronunciations::new();
    for (location, row) in csv_file.rows::<PronunciationRecord>()? {
        if row.spoken.trim().is_empty() {
            return Err(location.fault()("spoken is blank".to_owned()));
        }
        if row.written.is_empty() || !row.written.chars().all(is_latin) {
            return Err(location.fault()(format!(
                "{:?} is no word of Latin letters",
                row.written
            )));
        }
        let duplicate = format!("{} is pronounced twice", row.written);
        if words.insert(row.written, row.spoken).is_some() {
            return Err(location.fault()(duplicate));
        }
    }
    Ok(words)
}

/// Adds the pronounced names as aliases.
pub(super) fn add(instruments: &mut [Instrument], words: &Pronunciations) {
    for instrument in instruments {
        for pronounced in pronounced(&instrument.korean_name, words) {
            if !instrument.aliases.contains(&pronounced) {
                instrument.aliases.push(pronounced);
            }
        }
    }
}

/// The name with its first word pronounced, and with all words pronounced.
fn pronounced(name: &str, words: &Pronunciations) -> Vec<String> {
    let mut first = String::new();
    let mut all = String::new();
    let mut rest = name;
    while !rest.is_empty() {
        let other = rest.find(is_latin).unwrap_or(rest.len());
        let (between, from_word) = rest.split_at(other);
        let end = from_word.find(|letter: char| !is_latin(letter));
        let (word, after) = from_word.split_at(end.unwrap_or(from_word.len()));
        let spoken = words.get(word).map_or(word, String::as_str);
        let is_begun = !all.is_empty() || !between.is_empty();
        first.push_str(between);
        first.push_str(if is_begun { word } else { spoken });
        all.push_str(between);
        all.push_str(spoken);
        rest = after;
    }
    let mut pronounced = vec![first, all];
    pronounced.dedup();
    pronounced.retain(|pronounced| pronounced != name);
    pronounced
}

fn is_latin(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '&' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_and_all_words_are_pronounced() {
        let words = [
            ("KODEX", "코덱스"),
            ("SK", "에스케이"),
            ("S&P500", "에스앤피500"),
        ]
        .map(|(written, spoken)| (written.to_owned(), spoken.to_owned()))
        .into();
        for (name, expected) in [
            ("KODEX 200", vec!["코덱스 200"]),
            ("SK하이닉스", vec!["에스케이하이닉스"]),
            (
                "KODEX 미국S&P500(H)",
                vec!["코덱스 미국S&P500(H)", "코덱스 미국에스앤피500(H)"],
            ),
            ("국민SK", vec!["국민에스케이"]),
            ("KODEXX", vec![]),
            ("SKC", vec![]),
            ("삼성전자", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(pronounced(name, &words), expected, "{name}");
        }
    }
}
