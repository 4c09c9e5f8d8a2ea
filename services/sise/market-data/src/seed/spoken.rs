//! How words are said that names write in Latin letters: who has only heard of KODEX types 코덱스.

use std::collections::HashMap;

use serde::Deserialize;

use super::SeedError;
use super::sheet::Sheet;
use crate::catalogue::Instrument;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpokenRecord {
    written: String,
    spoken: String,
}

/// Words as they are written, and how each is said.
pub(super) type Spoken = HashMap<String, String>;

pub(super) fn read(sheet: &Sheet) -> Result<Spoken, SeedError> {
    let mut words = Spoken::new();
    for (place, row) in sheet.rows::<SpokenRecord>()? {
        if row.spoken.trim().is_empty() {
            return Err(place.fault()("spoken is blank".to_owned()));
        }
        if row.written.is_empty() || !row.written.chars().all(is_latin) {
            return Err(place.fault()(format!(
                "{:?} is no word of Latin letters",
                row.written
            )));
        }
        let said_twice = format!("{} is said twice", row.written);
        if words.insert(row.written, row.spoken).is_some() {
            return Err(place.fault()(said_twice));
        }
    }
    Ok(words)
}

/// Gives every instrument the aliases by which its name is said.
pub(super) fn add(instruments: &mut [Instrument], words: &Spoken) {
    for instrument in instruments {
        for said in said(&instrument.korean_name, words) {
            if !instrument.aliases.contains(&said) {
                instrument.aliases.push(said);
            }
        }
    }
}

/// A name with its first word as it is said, and with all of them.
fn said(name: &str, words: &Spoken) -> Vec<String> {
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
    let mut said = vec![first, all];
    said.dedup();
    said.retain(|said| said != name);
    said
}

fn is_latin(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '&' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_said_by_its_first_word_and_by_all() {
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
            assert_eq!(said(name, &words), expected, "{name}");
        }
    }
}
