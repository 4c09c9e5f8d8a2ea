//! Evaluates `EXPRESSION = RESULT` exactly.

use education::Content;
use rust_decimal::{Decimal, MathematicalOps, RoundingStrategy};

use crate::{CONTENT, none};

struct Sum<'a> {
    rest: &'a str,
}

impl Sum<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<Decimal> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<Decimal> {
        let mut value = self.power()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.power()?)?;
            } else if self.take("/") {
                value = value.checked_div(self.power()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn power(&mut self) -> Option<Decimal> {
        let base = self.number()?;
        if self.take("^") {
            let exponent = self.power()?;
            return base.checked_powd(exponent);
        }
        Some(base)
    }

    fn number(&mut self) -> Option<Decimal> {
        if self.take("-") {
            return Some(-self.number()?);
        }
        for (name, strategy) in [
            ("floor(", RoundingStrategy::ToNegativeInfinity),
            ("round(", RoundingStrategy::MidpointAwayFromZero),
        ] {
            if self.take(name) {
                let value = self.sum()?;
                let unit = if self.take(",") {
                    self.sum()?
                } else {
                    Decimal::ONE
                };
                let steps = value.checked_div(unit)?.round_dp_with_strategy(0, strategy);
                return self.take(")").then_some(steps.checked_mul(unit)?);
            }
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        self.peek()?;
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        digits.parse().ok()
    }
}

fn value(text: &str) -> Option<Decimal> {
    let mut sum = Sum { rest: text };
    let value = sum.sum()?;
    sum.rest.trim().is_empty().then_some(value)
}

/// Whether both sides agree, up to the rounding of a division.
fn holds(check: &str) -> bool {
    let Some((left, right)) = check.rsplit_once('=') else {
        return false;
    };
    match (value(left), value(right)) {
        (Some(left), Some(right)) => (left - right).abs() < Decimal::new(1, 9),
        _ => false,
    }
}

#[test]
fn sums_are_computed() {
    for check in [
        "1000000*0.03*6/12 = 15000",
        "1/0.5-1 = 1",
        "round(100*1.05^10, 0.1) = 162.9",
        "floor(32535*0.14, 10) + floor(floor(32535*0.14, 10)*0.1, 10) = 5000",
        "-(2+3)*2 = -10",
    ] {
        assert!(holds(check), "{check}");
    }
    for check in ["1+1 = 3", "1+ = 1", "1/0 = 0", "2 3 = 2", "1+1"] {
        assert!(!holds(check), "{check}");
    }
}

#[test]
fn every_calculation_of_the_content_is_correct() {
    let Content {
        quizzes, articles, ..
    } = &*CONTENT;
    let quizzes = quizzes.values().map(|quiz| (&quiz.id, &quiz.checks));
    let articles = articles
        .values()
        .map(|article| (&article.id, &article.checks));
    none(quizzes.chain(articles).flat_map(|(id, checks)| {
        let wrong = checks.iter().filter(|check| !holds(check));
        wrong.map(move |check| format!("{id}: {check}"))
    }));
}
