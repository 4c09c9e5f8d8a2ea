//! A post or comment.

use std::collections::BTreeSet;
use std::time::Instant;

use super::Fate;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deletion {
    None,
    /// A request for it began, and has no response.
    Possible,
    /// When the response arrived.
    Since(Instant),
}

/// Where a comment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) post: i64,
    /// Of a reply.
    pub(crate) parent: Option<i64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) author: i64,
    /// `None` for a post.
    pub(crate) place: Option<Place>,
    /// What it may be: one, unless a race leaves it open.
    pub(crate) contents: BTreeSet<String>,
    pub(crate) pictures: Vec<String>,
    pub(crate) deletion: Deletion,
    /// It waits to be read, and only its author sees it.
    pub(crate) is_held: bool,
}

impl Text {
    pub(crate) fn new(author: i64, place: Option<Place>, content: &str) -> Self {
        Self {
            author,
            place,
            contents: BTreeSet::from([content.to_owned()]),
            pictures: Vec::new(),
            deletion: Deletion::None,
            is_held: false,
        }
    }

    pub(crate) fn edited(&mut self, content: &str, fate: Fate) {
        match fate {
            Fate::Done => self.contents = BTreeSet::from([content.to_owned()]),
            Fate::Refused => {}
            Fate::Unclear => {
                self.contents.insert(content.to_owned());
            }
        }
    }

    /// Two edits at once.
    pub(crate) fn edited_at_once(&mut self, [one, other]: [(&str, Fate); 2]) {
        let done = [one, other].into_iter().filter(|edit| edit.1 == Fate::Done);
        let done: BTreeSet<String> = done.map(|(content, _)| content.to_owned()).collect();
        if !done.is_empty() {
            self.contents = done;
        }
        for (content, fate) in [one, other] {
            if fate == Fate::Unclear {
                self.contents.insert(content.to_owned());
            }
        }
    }

    /// A request begins that may delete it.
    pub(crate) fn deletes(&mut self) {
        if self.deletion == Deletion::None {
            self.deletion = Deletion::Possible;
        }
    }

    pub(crate) fn deleted(&mut self, at: Instant) {
        if !matches!(self.deletion, Deletion::Since(_)) {
            self.deletion = Deletion::Since(at);
        }
    }
}
