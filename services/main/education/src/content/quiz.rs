use serde::Deserialize;

use super::{ContentError, Figure, Level, piece};

/// A question with options, each with an explanation.
#[derive(Clone, Debug)]
pub struct Quiz {
    pub id: String,
    pub theme: String,
    pub level: Level,
    pub form: Form,
    /// Whether the answer is read from the figure.
    pub read: bool,
    /// Its subject; unique.
    pub concept: String,
    pub terms: Vec<String>,
    pub facts: Vec<u32>,
    pub source: String,
    pub as_of: String,
    /// Calculations, as `1000000*0.03*6/12 = 15000`, which a test verifies.
    pub checks: Vec<String>,
    pub hint: String,
    pub figure: Option<Figure>,
    pub question: String,
    pub options: Vec<QuizOption>,
    /// Paragraphs shown after the answer.
    pub explanation: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Form {
    Single,
    Multiple,
    Ox,
    Number,
}

#[derive(Clone, Debug)]
pub struct QuizOption {
    pub text: String,
    pub is_right: bool,
    /// The likely misconception behind a wrong option; empty for a correct one.
    pub slip: String,
}

impl Quiz {
    /// Every text that members see.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let options = self
            .options
            .iter()
            .flat_map(|option| [&option.text, &option.slip]);
        [&self.question, &self.hint]
            .into_iter()
            .chain(options)
            .chain(&self.explanation)
            .map(String::as_str)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    form: Form,
    #[serde(default)]
    read: bool,
    concept: String,
    #[serde(default)]
    terms: Vec<String>,
    #[serde(default)]
    facts: Vec<u32>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    as_of: String,
    #[serde(default)]
    checks: Vec<String>,
    #[serde(default)]
    hint: String,
    figure: Option<Figure>,
}

pub(crate) fn parse(theme: &str, level: Level, text: &str) -> Result<Vec<Quiz>, ContentError> {
    piece::sections(text)
        .map(|(id, section)| parse_one(theme, level, id, section))
        .collect()
}

fn parse_one(theme: &str, level: Level, id: &str, section: &str) -> Result<Quiz, ContentError> {
    let (head, body) = piece::split::<Head>(id, section)?;
    let broken = |what| ContentError::Body(id.to_owned(), what);
    let (question, rest) = body
        .split_once("\n- [")
        .ok_or_else(|| broken("no options after the question"))?;
    let (options, explanation) = rest
        .split_once("\n>")
        .ok_or_else(|| broken("no quoted explanation after the options"))?;
    let options = options.split("\n- [").map(parse_option);
    let options: Option<Vec<QuizOption>> = options.collect();
    Ok(Quiz {
        id: id.to_owned(),
        theme: theme.to_owned(),
        level,
        form: head.form,
        read: head.read,
        concept: head.concept,
        terms: head.terms,
        facts: head.facts,
        source: head.source,
        as_of: head.as_of,
        checks: head.checks,
        hint: head.hint,
        figure: head.figure,
        question: question.trim().to_owned(),
        options: options.ok_or_else(|| broken("an option is `- [ ] text` or `- [x] text`"))?,
        explanation: paragraphs(explanation),
    })
}

/// Parses `x] text` and the indented lines below it.
fn parse_option(text: &str) -> Option<QuizOption> {
    let (mark, text) = text.split_once(']')?;
    let (first, slip) = text.split_once('\n').unwrap_or((text, ""));
    let slip: Vec<&str> = slip.split_whitespace().collect();
    Some(QuizOption {
        text: first.trim().to_owned(),
        is_right: match mark {
            "x" => true,
            " " => false,
            _ => return None,
        },
        slip: slip.join(" "),
    })
}

/// Parses quoted lines; an empty one separates paragraphs.
fn paragraphs(quoted: &str) -> Vec<String> {
    let lines = quoted
        .lines()
        .map(|line| line.trim_start_matches('>').trim());
    let mut paragraphs = vec![String::new()];
    for line in lines {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            Some(last) if last.is_empty() => {}
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}
