/// Why an answer is not graded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAnswer {
    /// No key, or a key that is no option.
    #[error("no option has this key")]
    UnknownOption,
    /// More options than are right: ticking everything would always be correct.
    #[error("more options than right ones")]
    TooMany,
}

/// Whether all right options are among the given ones. A key that is given twice counts once.
///
/// # Errors
/// [`InvalidAnswer`].
pub fn grade(given: &[String], right: &[String], options: usize) -> Result<bool, InvalidAnswer> {
    let given = distinct(given);
    let is_option = |key: &str| {
        let number = key.parse::<usize>();
        number.is_ok_and(|number| (1..=options).contains(&number) && number.to_string() == key)
    };
    if given.is_empty() || !given.iter().all(|key| is_option(key)) {
        return Err(InvalidAnswer::UnknownOption);
    }
    if given.len() > right.len() {
        return Err(InvalidAnswer::TooMany);
    }
    Ok(right.iter().all(|key| given.contains(&key.as_str())))
}

/// Each key once, in order.
#[must_use]
pub fn distinct(keys: &[String]) -> Vec<&str> {
    let mut keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_right_options_are_needed_and_no_more_are_taken() {
        use InvalidAnswer::{TooMany, UnknownOption};
        let keys = |text: &str| -> Vec<String> { text.split('|').map(str::to_owned).collect() };
        for (given, right, expected) in [
            ("2", "2", Ok(true)),
            ("1", "2", Ok(false)),
            ("1|3", "1|3", Ok(true)),
            ("3|1", "1|3", Ok(true)),
            ("1|1", "1|3", Ok(false)),
            ("1|2", "1|3", Ok(false)),
            ("1|2|3", "1|3", Err(TooMany)),
            ("2|2", "2", Ok(true)),
            ("5", "2", Err(UnknownOption)),
            ("0", "2", Err(UnknownOption)),
            ("01", "1", Err(UnknownOption)),
            ("", "2", Err(UnknownOption)),
            ("GOOD", "2", Err(UnknownOption)),
        ] {
            assert_eq!(
                grade(&keys(given), &keys(right), 4),
                expected,
                "{given} of {right}"
            );
        }
    }
}
