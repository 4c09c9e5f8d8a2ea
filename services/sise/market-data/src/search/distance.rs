//! One typing mistake.

/// Whether `typed` becomes `target`, or the beginning of it, by one change: a character replaced,
/// left out, added, or swapped with its neighbour. Equality counts too.
pub(super) fn one_mistake_from_prefix(typed: &[char], target: &[char]) -> bool {
    let same = typed
        .iter()
        .zip(target)
        .take_while(|(left, right)| left == right);
    let same = same.count();
    let (Some(rest), Some(wanted)) = (typed.get(same..), target.get(same..)) else {
        return false;
    };
    let Some((first, after)) = rest.split_first() else {
        return true;
    };
    let replaced = wanted
        .get(1..)
        .is_some_and(|wanted| wanted.starts_with(after));
    let left_out = wanted
        .get(1..)
        .is_some_and(|wanted| wanted.starts_with(rest));
    let added = wanted.starts_with(after);
    let swapped = match (after.split_first(), wanted) {
        (Some((second, tail)), [wanted_first, wanted_second, wanted_tail @ ..]) => {
            second == wanted_first && first == wanted_second && wanted_tail.starts_with(tail)
        }
        _ => false,
    };
    replaced || left_out || added || swapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mistake_is_forgiven_and_two_are_not() {
        let near = |typed: &str, target: &str| {
            let typed: Vec<char> = typed.chars().collect();
            let target: Vec<char> = target.chars().collect();
            one_mistake_from_prefix(&typed, &target)
        };
        for (typed, target) in [
            ("삼섬전자", "삼성전자"),
            ("삼전자", "삼성전자"),
            ("삼성성전자", "삼성전자"),
            ("삼전성자", "삼성전자"),
            ("삼섬전", "삼성전자"),
            ("appel", "apple"),
            ("aple", "appleinc."),
            ("삼성전", "삼성전자"),
        ] {
            assert!(near(typed, target), "{typed} {target}");
        }
        for (typed, target) in [
            ("삼섬선자", "삼성전자"),
            ("전자", "삼성전자"),
            ("appppl", "apple"),
        ] {
            assert!(!near(typed, target), "{typed} {target}");
        }
    }
}
