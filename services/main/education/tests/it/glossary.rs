use crate::{CONTENT, none};

#[test]
fn every_theme_introduces_fifteen_terms() {
    for theme in &CONTENT.themes {
        let terms = CONTENT.terms.values().filter(|term| term.theme == theme.id);
        assert_eq!(terms.count(), 15, "{}", theme.id);
    }
}

#[test]
fn a_term_has_a_sentence_and_an_example_with_a_number() {
    none(CONTENT.terms.values().filter_map(|term| {
        let is_short = (4..=40).contains(&term.gist.chars().count());
        let has_number = term.text.contains(|c: char| c.is_ascii_digit());
        (!is_short || !has_number).then(|| format!("{}: {} / {}", term.word, term.gist, term.text))
    }));
}

#[test]
fn every_term_is_linked_from_somewhere() {
    let quizzes = CONTENT
        .quizzes
        .values()
        .flat_map(|quiz| quiz.terms.iter().map(String::as_str));
    let articles = CONTENT
        .articles
        .values()
        .flat_map(|article| education::content::terms(&article.text));
    let texts = CONTENT.quizzes.values().flat_map(|quiz| quiz.texts());
    let texts = texts.flat_map(education::content::terms);
    let linked: std::collections::BTreeSet<&str> = quizzes.chain(articles).chain(texts).collect();
    let unlinked = CONTENT
        .terms
        .keys()
        .filter(|word| !linked.contains(word.as_str()));
    none(unlinked.cloned());
}
