use std::time::Duration;

use super::*;

const AUTHOR: i64 = 1;
const OTHER: i64 = 2;
const POST: Subject = Subject::Post(7);

fn model() -> Model {
    let mut model = Model::default();
    model.wrote(POST, Text::new(AUTHOR, None, "old")).unwrap();
    model
}

fn contents(model: &Model) -> Vec<&str> {
    let text = model.text(POST).unwrap();
    text.contents.iter().map(String::as_str).collect()
}

#[test]
fn a_text_is_written_once() {
    let mut model = model();
    let again = model.wrote(POST, Text::new(OTHER, None, "new"));
    assert!(again.is_err());
}

#[test]
fn an_edit_that_was_refused_changes_nothing_unless_a_call_was_lost() {
    let mut model = model();
    let mut edited = |content, fate| model.text_mut(POST).unwrap().edited(content, fate);
    edited("refused", Fate::Refused);
    edited("unclear", Fate::Unclear);
    assert_eq!(contents(&model), ["old", "unclear"]);
    model.text_mut(POST).unwrap().edited("new", Fate::Done);
    assert_eq!(contents(&model), ["new"]);
    let both = [("one", Fate::Done), ("other", Fate::Done)];
    model.text_mut(POST).unwrap().edited_at_once(both);
    assert_eq!(contents(&model), ["one", "other"]);
    let both = [("one", Fate::Refused), ("third", Fate::Done)];
    model.text_mut(POST).unwrap().edited_at_once(both);
    assert_eq!(contents(&model), ["third"]);
}

#[test]
fn a_like_is_what_was_answered_last() {
    let mut model = model();
    let mut after = |on, fate| {
        model.liked((POST, OTHER), on, fate);
        model.like(POST, OTHER)
    };
    assert_eq!(after(true, Fate::Refused), Expected::No);
    assert_eq!(after(true, Fate::Unclear), Expected::Either);
    assert_eq!(after(true, Fate::Done), Expected::Yes);
    assert_eq!(after(true, Fate::Unclear), Expected::Yes);
    assert_eq!(after(false, Fate::Refused), Expected::Yes);
    assert_eq!(after(false, Fate::Unclear), Expected::Either);
    assert_eq!(after(false, Fate::Done), Expected::No);
    assert!(!Expected::Yes.allows(false) && !Expected::No.allows(true));
    assert!(Expected::Either.allows(true) && Expected::Either.allows(false));
}

#[test]
fn only_what_may_be_gone_may_be_missing() {
    let mut model = model();
    let (comment, reply) = (Subject::Comment(8), Subject::Comment(9));
    let place = |parent| Some(Place { post: 7, parent });
    for (subject, parent) in [(comment, None), (reply, Some(8))] {
        let text = Text::new(AUTHOR, place(parent), "text");
        model.wrote(subject, text).unwrap();
    }
    assert!(!model.may_be_missing(reply, OTHER));
    model.text_mut(comment).unwrap().deletes();
    assert!(model.may_be_missing(reply, OTHER) && !model.may_be_missing(POST, OTHER));
    for _ in 1..HIDING_REPORTS {
        model.reports(POST);
    }
    assert!(!model.may_be_missing(POST, OTHER));
    model.reports(POST);
    assert!(model.may_be_missing(POST, OTHER));
    let deleted = Instant::now();
    let later = deleted + Duration::from_millis(1);
    model.text_mut(comment).unwrap().deleted(deleted);
    assert!(model.was_deleted(comment, later) && !model.was_deleted(reply, later));
    model.text_mut(POST).unwrap().deleted(deleted);
    assert!(!model.was_deleted(reply, deleted));
    assert!(model.was_deleted(reply, later));
}

#[test]
fn a_block_ends_following_unless_both_happen_at_once() {
    let start = Instant::now();
    let wanted = |on, from, to| Wanted {
        on,
        began: start + Duration::from_secs(from),
        ended: start + Duration::from_secs(to),
    };
    let follow = |follows: Wanted, blocks: Wanted| {
        let mut relations = Relations::default();
        relations.followed((OTHER, AUTHOR), follows);
        relations.blocks((AUTHOR, OTHER), blocks.on);
        relations.blocked((AUTHOR, OTHER), blocks);
        relations.follow((OTHER, AUTHOR))
    };
    assert_eq!(follow(wanted(true, 0, 1), wanted(true, 2, 3)), Expected::No);
    assert_eq!(
        follow(wanted(true, 2, 3), wanted(true, 0, 1)),
        Expected::Yes
    );
    let at_once = (wanted(true, 0, 2), wanted(true, 1, 3));
    assert_eq!(follow(at_once.0, at_once.1), Expected::Either);
    assert_eq!(
        follow(wanted(false, 0, 2), wanted(true, 1, 3)),
        Expected::No
    );
    assert_eq!(
        follow(wanted(true, 0, 1), wanted(false, 2, 3)),
        Expected::Yes
    );
}

#[test]
fn a_block_counts_from_its_response_until_it_is_taken_back() {
    let start = Instant::now();
    let later = start + Duration::from_secs(5);
    let mut relations = Relations::default();
    let pair = (AUTHOR, OTHER);
    relations.blocks(pair, true);
    assert!(relations.was_blocked(OTHER, AUTHOR));
    assert!(!relations.is_blocked_since(OTHER, AUTHOR, later));
    let on = Wanted {
        on: true,
        began: start,
        ended: start,
    };
    relations.blocked(pair, on);
    assert!(relations.is_blocked_since(OTHER, AUTHOR, later));
    assert_eq!(relations.block(pair), Expected::Yes);
    assert_eq!(relations.block((OTHER, AUTHOR)), Expected::No);
    relations.blocks(pair, false);
    assert!(!relations.is_blocked_since(OTHER, AUTHOR, later));
}
