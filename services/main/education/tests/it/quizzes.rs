use std::collections::BTreeMap;

use education::content::{Form, Level, Quiz};

use crate::{CONTENT, length, none};

fn quizzes() -> impl Iterator<Item = &'static Quiz> {
    CONTENT.quizzes.values()
}

fn each(wrong: impl Fn(&Quiz) -> Option<String>) {
    none(quizzes().filter_map(|quiz| Some(format!("{}: {}", quiz.id, wrong(quiz)?))));
}

#[test]
fn every_theme_has_ten_quizzes_of_each_level_in_the_planned_forms() {
    for theme in &CONTENT.themes {
        for level in Level::ALL {
            for number in 1..=10 {
                let id = format!("{}-{}-{number:02}", theme.id, level.slug());
                let quiz = CONTENT.quizzes.get(&id);
                assert!(quiz.is_some_and(|quiz| quiz.level == level), "{id}");
            }
        }
        let mut forms = BTreeMap::new();
        for quiz in quizzes().filter(|quiz| quiz.theme == theme.id) {
            let form = if quiz.read {
                "read"
            } else {
                form_name(quiz.form)
            };
            *forms.entry(form).or_insert(0) += 1;
        }
        let planned = [
            ("multiple", 8),
            ("number", 2),
            ("ox", 2),
            ("read", 3),
            ("single", 15),
        ];
        assert_eq!(forms, BTreeMap::from(planned), "{}", theme.id);
    }
    assert_eq!(CONTENT.quizzes.len(), 30 * CONTENT.themes.len());
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::Single => "single",
        Form::Multiple => "multiple",
        Form::Ox => "ox",
        Form::Number => "number",
    }
}

#[test]
fn the_number_of_options_fits_the_form() {
    each(|quiz| {
        let right = quiz.options.iter().filter(|option| option.is_right).count();
        let count = quiz.options.len();
        let texts = quiz.options.iter().map(|option| option.text.as_str());
        let fits = match quiz.form {
            Form::Single | Form::Number => count == 4 && right == 1,
            Form::Multiple => (4..=5).contains(&count) && (2..=3).contains(&right),
            Form::Ox => texts.eq(["맞아요", "아니에요"]) && right == 1,
        };
        (!fits).then(|| format!("{count} options, {right} right"))
    });
}

#[test]
fn a_question_with_several_answers_states_their_number() {
    each(|quiz| {
        let right = quiz.options.iter().filter(|option| option.is_right).count();
        let says = quiz.question.contains(&format!("{right}개 골라"));
        (quiz.form == Form::Multiple && !says).then(|| quiz.question.clone())
    });
}

#[test]
fn only_wrong_options_have_a_misconception() {
    each(|quiz| {
        let wrong = quiz
            .options
            .iter()
            .find(|option| option.is_right != option.slip.is_empty());
        wrong.map(|option| option.text.clone())
    });
}

/// `Some` where the option is a number with an optional unit.
fn number(text: &str) -> Option<(f64, String)> {
    let text = text.replace(',', "").replace('−', "-");
    let text = text.trim_start_matches("약 ");
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-')?;
    let value = text.get(..end)?.parse().ok()?;
    Some((value, text.get(end..)?.to_owned()))
}

#[test]
fn numbers_of_one_unit_ascend() {
    each(|quiz| {
        let numbers: Option<Vec<_>> = quiz
            .options
            .iter()
            .map(|option| number(&option.text))
            .collect();
        let numbers = numbers?;
        let one_unit = numbers.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let ascend = numbers.windows(2).all(|pair| pair[0].0 < pair[1].0);
        (one_unit && !ascend).then(|| "not ascending".to_owned())
    });
}

#[test]
fn no_correct_option_stands_out_by_length() {
    each(|quiz| {
        if quiz
            .options
            .iter()
            .any(|option| number(&option.text).is_some())
        {
            return None;
        }
        let lengths = quiz.options.iter().map(|option| length(&option.text));
        let (shortest, longest) = (lengths.clone().min()?, lengths.max()?);
        (longest > 3 * shortest && quiz.form != Form::Ox)
            .then(|| format!("{shortest} to {longest}"))
    });
    for theme in &CONTENT.themes {
        let singles = quizzes().filter(|quiz| {
            let in_words = quiz
                .options
                .iter()
                .all(|option| number(&option.text).is_none());
            quiz.theme == theme.id && quiz.form == Form::Single && in_words
        });
        let mut count = 0;
        let longest_is_right = singles.filter(|quiz| {
            count += 1;
            let (right, wrong): (Vec<_>, Vec<_>) =
                quiz.options.iter().partition(|option| option.is_right);
            let right = right.iter().map(|option| length(&option.text)).max();
            right > wrong.iter().map(|option| length(&option.text)).max()
        });
        let longest_is_right = longest_is_right.count();
        assert!(
            2 * longest_is_right <= count,
            "{}: {longest_is_right} of {count}",
            theme.id
        );
    }
}

#[test]
fn correct_options_are_evenly_distributed() {
    for theme in &CONTENT.themes {
        let mut places = [0; 4];
        for quiz in quizzes().filter(|quiz| quiz.theme == theme.id && quiz.options.len() == 4) {
            if quiz.form != Form::Multiple {
                let place = quiz.options.iter().position(|option| option.is_right);
                places[place.unwrap()] += 1;
            }
        }
        assert!(
            places.iter().all(|count| (3..=8).contains(count)),
            "{}: {places:?}",
            theme.id
        );
    }
    let right = quizzes().filter(|quiz| quiz.form == Form::Ox && quiz.options[0].is_right);
    assert_eq!(right.count(), CONTENT.themes.len(), "as many true as false");
}

#[test]
fn nothing_is_asked_twice() {
    let mut seen = BTreeMap::new();
    for quiz in quizzes() {
        for text in [&quiz.question, &quiz.concept] {
            let other = seen.insert(text.replace(char::is_whitespace, ""), &quiz.id);
            assert!(other.is_none(), "{} and {other:?}: {text}", quiz.id);
        }
    }
}

#[test]
fn a_figure_quiz_has_a_figure() {
    each(|quiz| match &quiz.figure {
        None => quiz.read.then(|| "no figure".to_owned()),
        Some(figure) if !figure.is_complete() => Some("its figure lacks data".to_owned()),
        Some(figure) => (figure.alt.chars().count() < 10).then(|| "no text alternative".to_owned()),
    });
}

#[test]
fn calculations_are_listed_for_the_test() {
    each(|quiz| {
        (quiz.form == Form::Number && quiz.checks.is_empty()).then(|| "no check".to_owned())
    });
}

#[test]
fn pieces_with_facts_state_source_and_date() {
    each(|quiz| {
        let named = !quiz.source.is_empty() && !quiz.as_of.is_empty();
        (!quiz.facts.is_empty() && !named).then(|| "no source or date".to_owned())
    });
}
