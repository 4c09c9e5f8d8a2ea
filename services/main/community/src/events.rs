//! The events that the service publishes.

use kernel::Clock;
use messaging::NewEvent;
use proto::community::v1::NoteAdded;

use crate::entity::Model;

pub const NOTE_ADDED: &str = "community.note.added.v1";

/// The aggregate is the member, which keeps a member's events in order.
#[must_use]
pub fn note_added(note: &Model, clock: &dyn Clock) -> NewEvent {
    let body = NoteAdded {
        note_id: note.id,
        member_id: note.member_id.0,
    };
    NewEvent::new(NOTE_ADDED, note.member_id.to_string(), &body, clock)
}
