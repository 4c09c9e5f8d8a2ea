//! What moderators do from the command line. Texts of members are printed without anything that a
//! terminal obeys.

mod saving;

use std::fmt::Write;
use std::path::PathBuf;

use chrono::SecondsFormat;
use clap::{Args, Subcommand, ValueEnum};
use uuid::Uuid;

use crate::domain::moderation::{Decision, Rule};
use crate::domain::post::Publication;
use crate::pictures::Size;
use crate::pictures::files::Files;
use crate::store::{
    CasePicture, CaseRow, Decided, ModerationError, NewDecision, PictureRemoval, ReportRow,
    ReportedText, StepRow, Store, TextRef, WaitingFor, WaitingRow,
};

#[derive(Debug, Subcommand)]
pub enum ModerationCommand {
    /// List texts that wait for a decision, 50 at a time.
    List {
        #[arg(default_value = "reported")]
        what: Queue,
        /// The last key of the page before.
        #[arg(long, default_value_t = 0)]
        after: i64,
    },
    /// Print a text with its version, its pictures, its reports and what was decided.
    Show {
        kind: TextKind,
        sid: i64,
        /// The last report of the page before.
        #[arg(long, default_value_t = 0)]
        after: i64,
    },
    /// Save a picture that a text has or had, to look at it.
    Picture {
        id: Uuid,
        /// A file that does not exist.
        #[arg(long)]
        to: PathBuf,
        /// The small one, as lists show it.
        #[arg(long)]
        thumb: bool,
    },
    /// Take one picture away, in a text or not: nobody sees it any more, and its files are removed.
    RemovePicture {
        id: Uuid,
        /// Who removes it.
        #[arg(long)]
        operator: String,
        /// Kept in the history, 1 to 500 characters.
        #[arg(long)]
        reason: String,
    },
    /// Reports are right: the text stays hidden and its author is sanctioned. Also dismisses an
    /// appeal.
    Uphold(DecisionArgs),
    /// Reports are wrong: the text is shown again. Also grants an appeal.
    Dismiss(DecisionArgs),
    /// Show a held text, or grant an appeal of one that was refused.
    Publish(DecisionArgs),
    /// Do not show a held text, or dismiss an appeal of one that was refused.
    Refuse(DecisionArgs),
    /// 임시조치: hide a text for 30 days because somebody claims that it violates their rights.
    Restrict(DecisionArgs),
    /// That claim is wrong: show the text again.
    Lift(DecisionArgs),
    /// That claim is right: the text stays hidden.
    Remove(DecisionArgs),
}

#[derive(Clone, Debug, Args)]
pub struct DecisionArgs {
    kind: TextKind,
    sid: i64,
    /// The version that was read; no other one is decided about.
    #[arg(long)]
    version: i32,
    /// Who decides.
    #[arg(long)]
    operator: String,
    /// What the author is told, 1 to 500 characters.
    #[arg(long)]
    reason: String,
    /// The rule it is about; without it that of most reports.
    #[arg(long)]
    rule: Option<RuleArg>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Queue {
    /// For being published.
    Held,
    /// For a decision of reports.
    Reported,
    /// For a decision of an appeal.
    Appealed,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TextKind {
    Post,
    /// Or a reply.
    Comment,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RuleArg {
    Abuse,
    Spam,
    Manipulation,
    Obscene,
    PersonalData,
    Other,
}

/// Executes a command and returns what is printed. Files are opened for a picture alone.
///
/// # Errors
/// [`ModerationError`] and why a picture is not saved: nothing was decided.
pub async fn execute(
    store: &Store,
    files_url: &str,
    command: &ModerationCommand,
) -> anyhow::Result<String> {
    let (decision, args) = match command {
        ModerationCommand::List { what, after } => return Ok(list(store, *what, *after).await?),
        ModerationCommand::Show { kind, sid, after } => {
            return Ok(show(store, text(*kind, *sid), *after).await?);
        }
        ModerationCommand::Picture { id, to, thumb } => {
            let size = if *thumb { Size::Thumb } else { Size::Full };
            let files = Files::open_existing(files_url)?;
            let length = saving::save(store, &files, (*id, size), to).await?;
            return Ok(format!("{length} bytes"));
        }
        ModerationCommand::RemovePicture {
            id,
            operator,
            reason,
        } => {
            let removal = PictureRemoval {
                picture: *id,
                reason: reason.clone(),
                operator: operator.clone(),
            };
            return Ok(removed(store.remove_picture(&removal).await?));
        }
        ModerationCommand::Uphold(args) => (Decision::Uphold, args),
        ModerationCommand::Dismiss(args) => (Decision::Dismiss, args),
        ModerationCommand::Publish(args) => (Decision::Publish, args),
        ModerationCommand::Refuse(args) => (Decision::Refuse, args),
        ModerationCommand::Restrict(args) => (Decision::Restrict, args),
        ModerationCommand::Lift(args) => (Decision::Lift, args),
        ModerationCommand::Remove(args) => (Decision::Remove, args),
    };
    let new = NewDecision {
        text: text(args.kind, args.sid),
        decision,
        version: args.version,
        rule: args.rule.map(RuleArg::rule),
        reason: args.reason.clone(),
        operator: args.operator.clone(),
    };
    let decided = store.decide(&new).await?;
    Ok(told(&decided))
}

/// Without control characters, other ends of lines and marks of direction, which could print anything anywhere.
#[must_use]
pub fn printable(text: &str) -> String {
    let is_plain = |character: char| {
        let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}'
            | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        character == '\n' || !character.is_control() && !turns
    };
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_plain(character) {
            plain.push(character);
        } else {
            plain.extend(character.escape_unicode());
        }
    }
    plain
}

fn text(kind: TextKind, sid: i64) -> TextRef {
    match kind {
        TextKind::Post => TextRef::Post(sid),
        TextKind::Comment => TextRef::Comment(sid),
    }
}

async fn list(store: &Store, what: Queue, after: i64) -> Result<String, ModerationError> {
    let for_what = match what {
        Queue::Held => WaitingFor::Publication,
        Queue::Reported => WaitingFor::Decision,
        Queue::Appealed => WaitingFor::Appeal,
    };
    let rows = store.waiting(for_what, after).await?;
    let Some(last) = rows.last() else {
        return Ok("nothing waits".to_owned());
    };
    let mut lines: Vec<String> = rows.iter().map(waiting_line).collect();
    lines.push(format!("next page: --after {}", last.key));
    Ok(lines.join("\n"))
}

async fn show(store: &Store, text: TextRef, after: i64) -> Result<String, ModerationError> {
    let case = store.case(text).await?;
    let pictures = store.pictures_of_case(text).await?;
    let reported = store.reported_texts(text).await?;
    let reported = reported.iter().filter(|one| one.version != case.version);
    let reports = store.reports_of(text, after).await?;
    let steps = store.steps_of(text).await?;
    let shown = pictures.iter().filter(|one| one.unused_since.is_none());
    let parts = [
        case_lines(text, &case),
        vec![format!("pictures {}", shown.count())],
        pictures.iter().map(picture_line).collect(),
        reported.map(reported_lines).collect(),
        reports.iter().map(report_line).collect(),
        steps.iter().map(step_line).collect(),
    ];
    Ok(parts.concat().join("\n"))
}

fn waiting_line(row: &WaitingRow) -> String {
    let name = match (row.post_id, row.comment_id) {
        (_, Some(comment)) => format!("comment {comment}"),
        (Some(post), None) => format!("post {post}"),
        (None, None) => String::new(),
    };
    let begin: String = row.content.chars().take(60).collect();
    let (since, version) = (seconds(row.since), row.version);
    let (author, publication, weight) = (row.author_id, &row.publication, row.report_weight);
    let begin = printable(&begin).replace('\n', " ");
    let pictures = row.pictures;
    format!(
        "{name} version {version} by {author} {publication} weight {weight} \
         pictures {pictures} since {since}: {begin}"
    )
}

fn case_lines(text: TextRef, case: &CaseRow) -> Vec<String> {
    let name = match text {
        TextRef::Post(id) => format!("post {id}"),
        TextRef::Comment(id) => format!("comment {id}"),
    };
    let (version, author, publication) = (case.version, case.author_id, &case.publication);
    let mut head = format!("{name} version {version} by {author} {publication}");
    let _infallible = write!(
        head,
        " weight {} written {}; the author has {} sanctions",
        case.report_weight,
        seconds(case.created_at),
        case.sanctions
    );
    let mut lines = vec![head];
    lines.extend(case.deleted_at.map(|at| format!("deleted {}", seconds(at))));
    lines.extend(
        case.restricted_until
            .map(|until| format!("restricted until {}", seconds(until))),
    );
    if !case.codes.is_empty() {
        lines.push(format!("tags {}", printable(&case.codes.join(" "))));
    }
    lines.push(indented(&case.content));
    if let Some(appeal) = &case.appeal {
        let state = match case.appeal_upheld {
            None => "undecided",
            Some(true) => "granted",
            Some(false) => "dismissed",
        };
        lines.push(format!("appeal, {state}:"));
        lines.push(indented(appeal));
    }
    lines
}

fn picture_line(picture: &CasePicture) -> String {
    let (id, width, height) = (picture.id.simple(), picture.width, picture.height);
    let gone = picture.unused_since.map(seconds);
    let gone = gone.map_or(String::new(), |since| format!(" taken out {since}"));
    let alt = printable(&picture.alt_text).replace('\n', " ");
    format!("picture {id} {width}x{height}{gone}: {alt}")
}

fn reported_lines(reported: &ReportedText) -> String {
    let (version, since) = (reported.version, seconds(reported.reported_at));
    let content = indented(&reported.content);
    format!("version {version} as it was reported {since}:\n{content}")
}

fn report_line(report: &ReportRow) -> String {
    let state = match report.upheld {
        None => "undecided",
        Some(true) => "upheld",
        Some(false) => "dismissed",
    };
    let (id, member, weight) = (report.id, report.member_id, report.weight);
    let (at, reason, text) = (seconds(report.created_at), &report.reason, &report.text);
    let text = printable(text).replace('\n', " ");
    let version = report
        .version
        .map(|version| format!(" of version {version}"));
    let version = version.unwrap_or_default();
    format!("report {id}{version} by {member} weight {weight} {at} {state} {reason}: {text}")
}

fn step_line(step: &StepRow) -> String {
    let (id, kind, version, rule) = (step.id, &step.kind, step.version, &step.rule);
    let picture = step.picture_id.map(|id| format!(" {}", id.simple()));
    let picture = picture.unwrap_or_default();
    let operator = printable(step.operator.as_deref().unwrap_or("the service"));
    let (at, reason) = (seconds(step.created_at), printable(&step.reason));
    format!("step {id} {at} {kind}{picture} version {version} by {operator} {rule}: {reason}")
}

fn told(decided: &Decided) -> String {
    let state = match decided.publication {
        Publication::Published => "is shown",
        Publication::Held => "is held",
        Publication::Hidden => "is hidden",
    };
    if decided.is_repeated {
        return format!("decided alike before: step {}, it {state}", decided.step);
    }
    let sanction = decided.sanction.map(|given| match given.ends_at {
        _ if given.is_warning() => ", its author is warned".to_owned(),
        Some(until) => format!(", its author may write again from {}", seconds(until)),
        None => ", its author may never write again".to_owned(),
    });
    let sanction = sanction.unwrap_or_default();
    format!("step {}: it {state}{sanction}", decided.step)
}

fn removed(step: Option<i64>) -> String {
    match step {
        Some(step) => format!("step {step}: nobody sees it any more"),
        None => "it is being removed already".to_owned(),
    }
}

/// Lines of a text never look like lines of ours.
fn indented(text: &str) -> String {
    let lines = printable(text);
    let lines: Vec<String> = lines
        .split('\n')
        .map(|line| format!("  | {line}"))
        .collect();
    lines.join("\n")
}

fn seconds(time: chrono::DateTime<chrono::Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl RuleArg {
    fn rule(self) -> Rule {
        match self {
            Self::Abuse => Rule::Abuse,
            Self::Spam => Rule::Spam,
            Self::Manipulation => Rule::Manipulation,
            Self::Obscene => Rule::Obscene,
            Self::PersonalData => Rule::PersonalData,
            Self::Other => Rule::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_of_a_text() {
        for (text, printed) in [
            ("<b>그대로</b>\n둘째 줄", "<b>그대로</b>\n둘째 줄"),
            ("\u{1b}[2Jx", "\\u{1b}[2Jx"),
            ("a\rb\u{9b}31m", "a\\u{d}b\\u{9b}31m"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\u{2028}step 1", "a\\u{2028}step 1"),
        ] {
            assert_eq!(printable(text), printed);
        }
        assert_eq!(indented("a\nstep 1"), "  | a\n  | step 1");
    }
}
