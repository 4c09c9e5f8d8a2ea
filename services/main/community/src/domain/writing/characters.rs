//! What Unicode says of characters.

use icu_properties::props::{DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::char::is_combining_mark;

pub(super) const JOINER: char = '\u{200d}';
/// Asks for the coloured form of a pictograph.
pub(super) const EMOJI_FORM: char = '\u{fe0f}';

/// Belongs to the character before it.
pub(super) fn is_mark(character: char) -> bool {
    is_combining_mark(character)
}

/// Fills no space, or one that is empty, and only hides what is written.
pub(super) fn is_invisible(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    is_ignorable(character)
        || category == GeneralCategory::Format
        || category == GeneralCategory::Control
        || category == GeneralCategory::PrivateUse
        || BLANK.contains(&character)
}

/// Is not drawn by itself.
pub(super) fn is_ignorable(character: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

pub(super) fn is_pictograph(character: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(character)
}

/// Gives the pictograph before it a skin colour.
pub(super) fn is_skin_colour(character: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&character)
}

/// A reader sees something where it stands.
pub(super) fn is_visible(character: char) -> bool {
    !character.is_whitespace() && !is_mark(character) && !is_invisible(character)
}

/// Symbols by their category: the empty Braille cell, the place of an object and the null note.
const BLANK: [char; 3] = ['\u{2800}', '\u{fffc}', '\u{1d159}'];
