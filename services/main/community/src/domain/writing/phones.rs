//! Phone numbers, also where they are disguised.

use super::folding::unify;

/// Looks at digits that follow each other with nothing but separators between them. Korean and
/// Chinese numerals and letters drawn like digits are digits here.
pub(super) fn has_phone(text: &str) -> bool {
    // Before they are composed: ㅇㅣ would be the syllable 이.
    let text: String = text.chars().map(jamo).collect();
    let text = unify(&text);
    // A bar or a circle is a digit in one text and stands between digits in another.
    has_phone_with(&text, digit)
        || has_phone_with(&text, |one| digit(one).filter(|_| one.is_alphanumeric()))
}

fn has_phone_with(text: &str, digit: impl Fn(char) -> Option<char>) -> bool {
    let mut run: Vec<Digit> = Vec::new();
    let (mut is_apart, mut syllables) = (false, 0);
    for character in text.chars() {
        if let Some(value) = digit(character) {
            run.push(Digit {
                value,
                is_ascii: character.is_ascii_digit(),
                is_apart,
            });
            (is_apart, syllables) = (false, 0);
        } else if is_separator(character) {
            is_apart = true;
        } else if is_hyphen_read(character) && syllables < MOST_SYLLABLES {
            is_apart = true;
            syllables += 1;
        } else {
            if is_phone(&run) {
                return true;
            }
            run.clear();
            (is_apart, syllables) = (false, 0);
        }
    }
    is_phone(&run)
}

struct Digit {
    value: char,
    is_ascii: bool,
    /// Something stands before it.
    is_apart: bool,
}

/// In groups as they are written, once with those of mixed scripts and once without: after 5678 the
/// syllable 이 is no digit, within 공1공 it is.
fn is_phone(run: &[Digit]) -> bool {
    let mixed = groups(run, |_, digit| digit.is_apart);
    let pure = groups(run, |before, digit| {
        digit.is_apart || before.is_ascii != digit.is_ascii
    });
    is_any_phone(&mixed) || is_any_phone(&pure)
}

fn groups(run: &[Digit], is_new: impl Fn(&Digit, &Digit) -> bool) -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    let mut before: Option<&Digit> = None;
    for digit in run {
        match groups.last_mut() {
            Some(group) if !before.is_some_and(|before| is_new(before, digit)) => {
                group.push(digit.value);
            }
            Some(_) | None => groups.push(digit.value.to_string()),
        }
        before = Some(digit);
    }
    groups
}

fn is_any_phone(run: &[String]) -> bool {
    (0..run.len()).any(|start| run.get(start..).is_some_and(begins_with_phone))
}

fn begins_with_phone(groups: &[String]) -> bool {
    let Some(first) = groups.first() else {
        return false;
    };
    let is_spelled = groups.iter().take(3).all(|group| group.len() == 1);
    let mut number = String::new();
    for (place, group) in groups.iter().enumerate() {
        number.push_str(group);
        if number.len() > LONGEST_NUMBER {
            break;
        }
        let is_mobile = (first.len() >= 3 || is_spelled)
            && MOBILE.iter().any(|prefix| number.starts_with(prefix))
            && (number.len() == 11 || number.len() == 10 && !number.starts_with("010"));
        let is_international = first.len() >= 2
            && (number.starts_with("8210") && number.len() == 12
                || number.starts_with("82010") && number.len() == 13);
        let is_landline = place == 2
            && group.len() == 4
            && AREAS.contains(&first.as_str())
            && (9..=11).contains(&number.len());
        if is_mobile || is_international || is_landline {
            return true;
        }
    }
    false
}

fn digit(character: char) -> Option<char> {
    Some(match character {
        '0'..='9' => character,
        '공' | '영' | '빵' | '零' | '〇' | '○' | '◯' | '⓿' | 'o' => '0',
        '일' | '一' | '壹' | '壱' | '❶' | '➊' | 'l' | 'i' | '|' => '1',
        '이' | '二' | '貳' | '弐' | '❷' | '➋' => '2',
        '삼' | '三' | '參' | '参' | '❸' | '➌' => '3',
        '사' | '四' | '❹' | '➍' => '4',
        '오' | '五' | '❺' | '➎' => '5',
        '육' | '륙' | '六' | '❻' | '➏' => '6',
        '칠' | '七' | '❼' | '➐' => '7',
        '팔' | '八' | '❽' | '➑' => '8',
        '구' | '九' | '❾' | '➒' => '9',
        _ => return None,
    })
}

/// Korean letters drawn like digits or like a hyphen.
fn jamo(character: char) -> char {
    match character {
        'ㅇ' | 'ᄋ' | 'ᆼ' | '\u{ffb7}' => 'o',
        'ㅣ' | 'ᅵ' | '\u{ffdc}' => 'l',
        'ㅡ' | 'ᅳ' | '\u{ffda}' => '-',
        other => other,
    }
}

/// What stands between the groups of a number: anything but letters and the end of a rate.
fn is_separator(character: char) -> bool {
    !character.is_alphanumeric() && character != '%' || character == 'ー'
}

/// A syllable of 에 and of 다시, by which a hyphen is read.
fn is_hyphen_read(character: char) -> bool {
    matches!(character, '에' | '다' | '시')
}

/// Syllables between two groups of a number, as in 에 다시.
const MOST_SYLLABLES: usize = 3;
const LONGEST_NUMBER: usize = 13;
const MOBILE: [&str; 6] = ["010", "011", "016", "017", "018", "019"];
const AREAS: [&str; 19] = [
    "02", "031", "032", "033", "041", "042", "043", "044", "051", "052", "053", "054", "055",
    "061", "062", "063", "064", "070", "0505",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_disguise() {
        for text in [
            "010-1234-5678",
            "01012345678로 연락",
            "0 1 0 1 2 3 4 5 6 7 8",
            "０１０－１２３４－５６７８",
            "공일공 일이삼사 오육칠팔",
            "공일공 다시 일이삼사 다시 오육칠팔",
            "零一零 一二三四 五六七八",
            "O1O-l234-5678",
            "ㅇ1ㅇ 1234 5678",
            "①①0 010.1234.5678",
            "+82 10-1234-5678",
            "82 010 1234 5678",
            "02-312-4567",
            "031 123 4567",
            "016-123-4567",
            "010-1234-5678이에요",
            "번호는 01012345678이고 문자 주세요",
            "0\u{fe0f}\u{20e3}1\u{fe0f}\u{20e3}0\u{fe0f}\u{20e3} 1234 5678",
            "0\u{336}1\u{336}0\u{336}1\u{336}2\u{336}3\u{336}4\u{336}5\u{336}6\u{336}7\u{336}8\u{336}",
            "010|1234|5678",
            "0|0 1234 5678",
            "010○1234○5678",
            "0○ㅇ이 아니라 ○1○ 1234 5678",
            "010★1234★5678",
            "010#1234#5678",
            "010          1234          5678",
            "010\n\n1234\n\n5678",
            "010 📞📞📞 1234 ━━━━━━ 5678",
            "ㅇㅣㅇ 1234 5678",
            "ㅇㅣㅇㅡ1234ㅡ5678",
        ] {
            assert!(has_phone(text), "{text}");
        }
    }

    #[test]
    fn amounts_dates_and_codes_are_no_numbers_of_phones() {
        for text in [
            "71,300원에 10주",
            "2026.01.01 1,234,567원",
            "2026-01-01 71,300 12,345",
            "005930 000660 035720",
            "0.01 비트코인이 1,234,567원",
            "시가총액 1,234,567,890,123원",
            "고객센터 1588-1234",
            "01월 01일 10:30 12,345,678",
            "이 일은 삼사 일 뒤에 오육 명이",
            "10.1 12.3 14.5 16.7",
            "금리 0.010% 1,234 5,678",
            "ㅇㅇ 1234 5678 맞아요",
            "010 사이즈로 나누면 1234 그리고 5678",
            "2026\n01\n02\n71,300\n12,345",
            "① 10주 ② 1234원 ③ 5678원",
        ] {
            assert!(!has_phone(text), "{text}");
        }
    }
}
