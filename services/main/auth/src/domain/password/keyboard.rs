//! Runs of keys: `qwerty`, `1q2w3e`, `abcd`, `4321`, `aaaa`.

const ROWS: [&str; 4] = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"];
const SHIFTED: &str = "!@#$%^&*()_+{}:\"<>?";
const UNSHIFTED: &str = "1234567890-=[];',./";

/// The length of the longest run at the start of `text`; `None` below three characters.
pub(super) fn run(text: &[char]) -> Option<usize> {
    let longest = repeat(text).max(sequence(text)).max(walk(text));
    (longest >= 3).then_some(longest)
}

fn repeat(text: &[char]) -> usize {
    let Some(first) = text.first() else { return 0 };
    text.iter().take_while(|symbol| *symbol == first).count()
}

/// Consecutive letters or digits, upwards or downwards.
fn sequence(text: &[char]) -> usize {
    let step = |pair: &[char]| match pair {
        [from, to] if from.is_alphanumeric() && to.is_alphanumeric() => {
            Some(i64::from(u32::from(*to)) - i64::from(u32::from(*from)))
        }
        _ => None,
    };
    let mut steps = text.windows(2).map(step);
    match steps.next().flatten() {
        Some(first) if first.abs() == 1 => {
            2 + steps.take_while(|step| *step == Some(first)).count()
        }
        _ => 1,
    }
}

/// Neighbouring keys along a line, or along a zigzag of two directions from four keys on.
fn walk(text: &[char]) -> usize {
    let steps: Vec<(i32, i32)> = text
        .windows(2)
        .map_while(|pair| match pair {
            [from, to] => neighbour_step(*from, *to),
            _ => None,
        })
        .collect();
    let line = 1 + steps
        .iter()
        .take_while(|step| Some(*step) == steps.first())
        .count();
    let zigzag = steps
        .windows(3)
        .take_while(|window| window.first() == window.last())
        .count();
    if zigzag > 0 {
        line.max(zigzag + 3)
    } else {
        line
    }
}

fn neighbour_step(from: char, to: char) -> Option<(i32, i32)> {
    let (from, to) = (place(from)?, place(to)?);
    let step = (to.0 - from.0, to.1 - from.1);
    let near = step.0.abs() <= 1 && step.1.abs() <= 1 && step != (0, 0);
    near.then_some(step)
}

/// Row and column of the key that types a character.
fn place(symbol: char) -> Option<(i32, i32)> {
    let plain = SHIFTED
        .chars()
        .position(|shifted| shifted == symbol)
        .and_then(|at| UNSHIFTED.chars().nth(at))
        .unwrap_or(symbol);
    ROWS.iter().enumerate().find_map(|(row, keys)| {
        let column = keys.chars().position(|key| key == plain)?;
        Some((i32::try_from(row).ok()?, i32::try_from(column).ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_and_words_are_not() {
        for (text, length) in [
            ("aaaab", Some(4)),
            ("abcdx", Some(4)),
            ("9876z", Some(4)),
            ("qwerty1", Some(6)),
            ("1qaz2wsx", Some(4)),
            ("zaq1x", Some(4)),
            ("1q2w3e4r", Some(8)),
            ("!@#$", Some(4)),
            ("asdf;", Some(4)),
            ("가각갂x", Some(3)),
            ("horse", None),
            ("ab", None),
            ("", None),
        ] {
            let text: Vec<char> = text.chars().collect();
            assert_eq!(run(&text), length, "{text:?}");
        }
    }
}
