pub(super) fn check(isin: &str) -> Result<(), String> {
    let shape = isin.len() == 12
        && isin.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && isin
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && isin
            .bytes()
            .last()
            .is_some_and(|byte| byte.is_ascii_digit());
    if !shape {
        return Err(format!(
            "isin {isin} is not two letters, nine characters and a digit"
        ));
    }
    if luhn_sum(isin).is_multiple_of(10) {
        Ok(())
    } else {
        Err(format!("isin {isin} has a wrong check digit"))
    }
}

/// Letters become two digits (A = 10 … Z = 35); every second digit from the right is doubled and
/// its digits are added.
fn luhn_sum(isin: &str) -> u32 {
    let expanded: String = isin
        .chars()
        .filter_map(|character| character.to_digit(36))
        .map(|value| value.to_string())
        .collect();
    let digits = expanded
        .chars()
        .rev()
        .filter_map(|digit| digit.to_digit(10));
    digits
        .enumerate()
        .map(|(index, digit)| match index % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_isins_pass_and_every_other_digit_fails() {
        for isin in [
            "KR7005930003",
            "KR7005931001",
            "KRD040200002",
            "US0378331005",
        ] {
            assert_eq!(check(isin), Ok(()));
            let (body, digit) = isin.split_at(11);
            for other in ('0'..='9').filter(|other| digit != other.to_string()) {
                assert!(check(&format!("{body}{other}")).is_err());
            }
        }
    }
}
