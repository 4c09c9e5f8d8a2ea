//! Types of notifications, and what members hear of them unless they choose otherwise.

/// What a notification is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotificationType {
    Fill,
    /// A part of an order was filled.
    Partial,
    /// An order ended without its member.
    OrderEnded,
    Price,
    Maturity,
    /// A payment into a contract found too little.
    AutopayMissed,
    /// A streak ends tonight.
    Streak,
    /// Somebody commented on a post.
    Comment,
    /// Somebody replied to a comment, or spoke to the member.
    Reply,
    Like,
    /// A decision about a report, or about what the member wrote.
    Report,
    Competition,
    /// Sent by the operator.
    Notice,
}

/// Where a type of notification arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    pub inbox: bool,
    pub push: bool,
}

impl NotificationType {
    /// In the order in which settings list them.
    pub const ALL: [Self; 13] = [
        Self::Fill,
        Self::Partial,
        Self::OrderEnded,
        Self::Price,
        Self::Maturity,
        Self::AutopayMissed,
        Self::Streak,
        Self::Comment,
        Self::Reply,
        Self::Like,
        Self::Report,
        Self::Competition,
        Self::Notice,
    ];

    /// In columns and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fill => "FILL",
            Self::Partial => "PARTIAL",
            Self::OrderEnded => "ORDER_ENDED",
            Self::Price => "PRICE",
            Self::Maturity => "MATURITY",
            Self::AutopayMissed => "AUTOPAY_MISSED",
            Self::Streak => "STREAK",
            Self::Comment => "COMMENT",
            Self::Reply => "REPLY",
            Self::Like => "LIKE",
            Self::Report => "REPORT",
            Self::Competition => "COMPETITION",
            Self::Notice => "NOTICE",
        }
    }

    /// `None` for a word that is no type.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Where members hear of it who chose nothing. Likes are many, and none of them is urgent.
    #[must_use]
    pub fn default_channels(self) -> Channels {
        Channels {
            inbox: true,
            push: self != Self::Like,
        }
    }

    /// Whether it concerns the member's money, so that it passes quiet hours and digests.
    #[must_use]
    pub fn is_urgent(self) -> bool {
        match self {
            Self::Fill
            | Self::Partial
            | Self::OrderEnded
            | Self::Maturity
            | Self::AutopayMissed => true,
            Self::Price
            | Self::Streak
            | Self::Comment
            | Self::Reply
            | Self::Like
            | Self::Report
            | Self::Competition
            | Self::Notice => false,
        }
    }

    /// Whether it tells of a comment or like of a post, and is taken back with the post.
    #[must_use]
    pub fn is_of_post(self) -> bool {
        matches!(self, Self::Comment | Self::Reply | Self::Like)
    }

    /// Whether an open page hears of it: fills reach it on a channel of their own.
    #[must_use]
    pub fn is_live(self) -> bool {
        !matches!(self, Self::Fill | Self::Partial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_word_of_its_own() {
        for kind in NotificationType::ALL {
            assert_eq!(NotificationType::parse(kind.as_str()), Some(kind));
        }
        for word in ["", "fill", "FILLED", "FILL ", "새싹"] {
            assert_eq!(NotificationType::parse(word), None, "{word}");
        }
    }
}
