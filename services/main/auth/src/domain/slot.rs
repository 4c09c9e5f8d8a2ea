/// A place beside the nickname, or the colours of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Around the profile picture.
    Frame,
    /// Beside the nickname.
    Plate,
    /// Accent colours.
    Theme,
}

impl Slot {
    const ALL: [Self; 3] = [Self::Frame, Self::Plate, Self::Theme];

    /// The slot of this name; `None` for an item that is not worn.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.as_str() == text)
    }

    /// The name in its column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Frame => "FRAME",
            Self::Plate => "PLATE",
            Self::Theme => "THEME",
        }
    }
}
