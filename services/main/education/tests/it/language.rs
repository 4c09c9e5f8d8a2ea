//! Rules of style, and valid references.

use education::content::references;
use regex_lite::Regex;

use crate::{CONTENT, none};

/// Every text that members see, with its piece.
fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let quizzes = CONTENT.quizzes.values();
    let quizzes = quizzes.flat_map(|quiz| quiz.texts().map(|text| (quiz.id.as_str(), text)));
    let articles = CONTENT.articles.values().flat_map(|article| {
        let texts = [
            &article.title,
            &article.summary,
            &article.text,
            &article.check.why,
        ];
        texts
            .into_iter()
            .map(|text| (article.id.as_str(), text.as_str()))
    });
    let terms = CONTENT.terms.values();
    let terms = terms.map(|term| (term.word.as_str(), term.text.as_str()));
    quizzes.chain(articles).chain(terms)
}

fn nowhere(pattern: &str) {
    let pattern = Regex::new(pattern).unwrap_or_else(|error| panic!("{error}"));
    none(texts().filter_map(|(id, text)| {
        let found = pattern.find(text)?;
        Some(format!("{id}: '{}' in {text}", found.as_str()))
    }));
}

#[test]
fn no_text_uses_the_formal_style() {
    nowhere("니다[.!?]|습니까|십시오|하시오|할 것[.]");
}

#[test]
fn no_text_recommends_buying_or_selling() {
    nowhere("꼭 사(세요|야)|사세요|파세요|매수하세요|매도하세요|대박");
}

#[test]
fn no_option_is_all_or_none_of_the_above() {
    nowhere("모두 맞(다|아요)|정답 없음|모두 틀");
}

#[test]
fn promises_occur_only_in_quotes_or_negated() {
    let promise = Regex::new("무조건|수익 보장|원금 보장|원금을 보장|수익을 보장").unwrap();
    let explained = Regex::new(
        "[‘“'\"「][^’”'\"」]*(무조건|보장)[^‘“'\"「]*[’”'\"」]|보장하지|보장되지|보장은|보장이|보장[^.]*(않|없|아니|금지|못|약속|신호|속|거짓|의심)",
    )
    .unwrap();
    none(texts().filter_map(|(id, text)| {
        let sentences = text.split_inclusive(['.', '?', '!']);
        let mut bad = sentences
            .filter(|sentence| promise.is_match(sentence) && !explained.is_match(sentence));
        Some(format!("{id}: {}", bad.next()?))
    }));
}

#[test]
fn words_are_spelt_right() {
    nowhere(
        "되요|됬|몇일 |금새 |어떻해|않되|안되요|할께|일일히|역활|바램|희안|오랫만|왠만|설레임|통채|몇 일 |뵈요|구지 ",
    );
}

#[test]
fn references_exist_in_the_product() {
    const KNOWN: &[&str] = &[
        "rule stock.fee",
        "rule etf.fee",
        "rule us.fee",
        "rule coin.fee",
        "rule gold.fee",
        "rule stock.sell_tax",
        "rule etf.sell_tax",
        "rule us.fx_spread",
        "rule us.sec_fee",
        "rule us.taf",
        "rule limit.stock",
        "rule limit.etf",
        "rule limit.gold",
        "rule limit.upper",
        "rule limit.lower",
        "rule tick.stock",
        "rule tick.etf",
        "rule tick.us",
        "rule tick.gold",
        "rule tick.coin",
        "rule vi.static",
        "rule vi.moving",
        "rule vi.auction",
        "rule session.krx",
        "rule session.us",
        "rule session.gold",
        "rule closed",
        "rule coin.least",
        "rule gold.step",
        "rule gold.most",
        "rule order.largest",
        "rule deposit.tax",
        "rule deposit.income",
        "rule deposit.local",
        "rule deposit.insured",
        "rule dividend.us_withheld",
        "rule fill.ticks",
        "rule fill.guard",
        "rule fill.cap_basic",
        "rule fill.cap_competition",
        "rate early_close.under_month",
        "rate early_close.min",
        "rate early_close.min_3m",
        "rate early_close.share",
        "rate after_maturity.m1",
        "rate after_maturity.m3",
        "rate after_maturity.later",
        "rate cma",
        "rate best_deposit",
        "rule edu.right",
        "rule edu.wrong",
        "rule edu.set",
        "rule edu.article",
        "rule edu.cap",
    ];
    none(texts().flat_map(|(id, text)| {
        let unknown = references(text).filter(|reference| {
            let name = format!("{} {}", reference.table, reference.name);
            !KNOWN.contains(&name.as_str())
        });
        unknown.map(move |reference| format!("{id}: {reference:?}"))
    }));
}
