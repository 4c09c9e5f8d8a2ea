use std::collections::BTreeSet;

use education::content::{Article, Level};

use crate::{CONTENT, length, none};

fn each(wrong: impl Fn(&Article) -> Option<String>) {
    let articles = CONTENT.articles.values();
    none(articles.filter_map(|article| Some(format!("{}: {}", article.id, wrong(article)?))));
}

#[test]
fn every_theme_has_two_articles_of_each_level() {
    use Level::{Advanced, Basic, Intro};
    for theme in &CONTENT.themes {
        for (number, level) in (1..).zip([Intro, Intro, Basic, Basic, Advanced, Advanced]) {
            let id = format!("{}-{number}", theme.id);
            let article = CONTENT.articles.get(&id);
            assert!(
                article.is_some_and(|article| article.level == level),
                "{id}"
            );
        }
    }
    assert_eq!(CONTENT.articles.len(), 6 * CONTENT.themes.len());
}

#[test]
fn an_article_is_read_in_a_few_minutes() {
    each(|article| {
        let count = article.text.chars().count();
        (!(500..=1_500).contains(&count)).then(|| format!("{count} characters"))
    });
}

#[test]
fn figures_are_complete_and_have_a_text_alternative() {
    each(|article| {
        let has_alternative = article.figure.alt.chars().count() >= 10;
        (!article.figure.is_complete() || !has_alternative)
            .then(|| "its figure lacks something".to_owned())
    });
}

#[test]
fn questions_have_four_options_of_similar_length() {
    each(|article| {
        let check = &article.check;
        let distinct: BTreeSet<_> = check.options.iter().collect();
        let lengths = check.options.iter().map(|option| length(option));
        let (shortest, longest) = (lengths.clone().min()?, lengths.max()?);
        let fits = distinct.len() == 4 && longest <= 3 * shortest && !check.why.is_empty();
        (!fits).then(|| check.question.clone())
    });
}

#[test]
fn articles_recommend_quizzes_of_their_theme() {
    each(|article| {
        let own = article
            .quizzes
            .iter()
            .all(|id| CONTENT.quizzes[id].theme == article.theme);
        (!own || !(2..=3).contains(&article.quizzes.len()))
            .then(|| format!("{:?}", article.quizzes))
    });
}

#[test]
fn pieces_with_facts_state_source_and_date() {
    each(|article| {
        let named = !article.source.is_empty() && !article.as_of.is_empty();
        (!article.facts.is_empty() && !named).then(|| "no source or date".to_owned())
    });
}
