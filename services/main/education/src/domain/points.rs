/// A kind of grant; each is made once for each member and subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Quiz,
    Set,
    Article,
    Survey,
    /// Outside the cap.
    Streak,
}

pub const CORRECT: i32 = 10;
pub const WRONG: i32 = 3;
pub const SET_BONUS: i32 = 10;
pub const ARTICLE: i32 = 5;
pub const SURVEY: i32 = 5;
pub const STREAK_BONUS: i32 = 30;
pub const REPAIR: i32 = 50;
/// Points of a day for everything but streaks.
pub const DAY_CAP: i32 = 100;
/// Theme sets of a day that earn.
pub const EARNING_THEME_SETS: i64 = 3;

impl Kind {
    /// In the database and in events.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Quiz => "QUIZ",
            Self::Set => "SET",
            Self::Article => "ARTICLE",
            Self::Survey => "SURVEY",
            Self::Streak => "STREAK",
        }
    }
}

/// `wanted`, cut to what the cap leaves of a day on which `earned` points were granted.
#[must_use]
pub fn within_cap(wanted: i32, earned: i32) -> i32 {
    wanted.min(DAY_CAP.saturating_sub(earned)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_is_cut_to_what_is_left() {
        assert_eq!(within_cap(10, 0), 10);
        assert_eq!(within_cap(10, 93), 7);
        assert_eq!(within_cap(10, 100), 0);
        assert_eq!(within_cap(10, 130), 0);
    }
}
