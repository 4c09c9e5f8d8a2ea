//! Every counter is the number of its rows.

use std::collections::BTreeMap;

use super::check::{MemberCounts, Rows, TextRow};
use super::model::Subject;

/// What is below a text: likes, and comments or replies.
type Below = (i32, i32);

/// Returns each difference as a sentence.
pub(super) fn check(rows: &Rows, members: &[i64]) -> Vec<String> {
    let below = below(rows);
    let mut faults = Vec::new();
    for (subject, row) in &rows.texts {
        let counted = below.get(subject).copied().unwrap_or_default();
        let shown = (row.like_count, row.below_count);
        if counted != shown {
            faults.push(format!(
                "{subject:?} counts {shown:?} likes and texts below it, and has {counted:?}"
            ));
        }
    }
    let written = written(rows, &below);
    for member in members {
        let counted = written.get(member).copied().unwrap_or_default();
        let stored = rows.members.get(member).copied().unwrap_or_default();
        if counts(&counted) != counts(&stored) {
            faults.push(format!(
                "member {member} counts {stored:?}, not {counted:?}"
            ));
        }
    }
    let likes = written.values().map(|member| member.received_likes);
    println!(
        "checked: counters of {} texts and {} members, {} likes received, {} differences",
        rows.texts.len(),
        members.len(),
        likes.sum::<i64>(),
        faults.len()
    );
    faults
}

pub(super) fn counts(member: &MemberCounts) -> (i64, i64, i64) {
    (
        member.post_count,
        member.comment_count,
        member.received_likes,
    )
}

fn below(rows: &Rows) -> BTreeMap<Subject, Below> {
    let mut below: BTreeMap<Subject, Below> = BTreeMap::new();
    for (subject, _) in &rows.likes {
        below.entry(*subject).or_default().0 += 1;
    }
    let counted = rows.texts.values().filter(|row| row.is_counted());
    for row in counted {
        let post = row.post_id.map(Subject::Post);
        let parent = row.parent_id.map(Subject::Comment);
        for above in [post, parent].into_iter().flatten() {
            below.entry(above).or_default().1 += 1;
        }
    }
    below
}

fn written(rows: &Rows, below: &BTreeMap<Subject, Below>) -> BTreeMap<i64, MemberCounts> {
    let mut written: BTreeMap<i64, MemberCounts> = BTreeMap::new();
    let is_counted = |(_, row): &(&Subject, &TextRow)| row.is_counted();
    for (subject, row) in rows.texts.iter().filter(is_counted) {
        let counts = written.entry(row.author_id).or_default();
        let likes = below.get(subject).map_or(0, |below| below.0);
        counts.received_likes += i64::from(likes);
        match subject {
            Subject::Post(_) => counts.post_count += 1,
            Subject::Comment(_) => counts.comment_count += 1,
        }
    }
    written
}
