//! The names and pictures of authors, which are auth's, and their levels, which are trading's: community
//! has none that could grow old.

use std::collections::{BTreeSet, HashMap};

use kernel::MemberId;
use proto::auth::v1 as auth;
use proto::trading::v1 as trading;

use crate::error::ApiError;
use crate::routes::levels::{GONE, levels};
use crate::state::AppState;
use crate::wire::item::non_empty;

const OPERATOR: &str = "운영자";

pub(super) struct People {
    /// `None` while auth is away.
    profiles: Option<HashMap<i64, auth::PublicProfile>>,
    /// Empty while trading is away.
    levels: HashMap<i64, trading::MemberLevel>,
}

/// How an author is shown.
pub(super) struct Author {
    pub(super) nickname: String,
    /// `None` while it is not known, and of the operator.
    pub(super) level: Option<i32>,
    /// Won at which the level begins.
    pub(super) level_from: Option<i64>,
    pub(super) frame: Option<String>,
    pub(super) plate: Option<String>,
    pub(super) is_operator: bool,
}

impl People {
    /// One call to each service for all of `member_ids`; none for nobody.
    pub(super) async fn read(
        state: &AppState,
        member_ids: BTreeSet<i64>,
    ) -> Result<Self, ApiError> {
        let member_ids: Vec<i64> = member_ids.into_iter().filter(|id| *id > 0).collect();
        if member_ids.is_empty() {
            return Ok(Self::of(Vec::new()));
        }
        let request = auth::ListPublicProfilesRequest {
            member_ids: member_ids.clone(),
        };
        let names = state.members.call_idempotent(async |mut members| {
            members.list_public_profiles(request.clone()).await
        });
        let (listed, levels) = tokio::join!(names, levels(state, member_ids));
        Ok(Self {
            levels,
            ..Self::of(listed?.profiles)
        })
    }

    /// As [`Self::read`] after a write, which has succeeded and must not look failed: nobody has a
    /// name while auth is away.
    pub(super) async fn read_if_possible(state: &AppState, member_ids: BTreeSet<i64>) -> Self {
        Self::read(state, member_ids).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a written text is shown without names");
            Self {
                profiles: None,
                levels: HashMap::new(),
            }
        })
    }

    pub(super) fn knows(&self, member_id: i64) -> bool {
        let profiles = self.profiles.as_ref();
        profiles.is_some_and(|profiles| profiles.contains_key(&member_id))
    }

    /// 0 for one who left for good, whatever auth says of them.
    pub(super) fn author(&self, member_id: i64) -> Author {
        let is_operator = member_id == MemberId::OPERATOR.0;
        let profile = match &self.profiles {
            Some(profiles) => profiles.get(&member_id).cloned().unwrap_or_else(gone),
            None if member_id == MemberId::NOBODY.0 => gone(),
            None => auth::PublicProfile::default(),
        };
        let level = self.levels.get(&member_id).filter(|_| !is_operator);
        Author {
            level: level.map(|level| level.level),
            level_from: level.map(|level| level.from_won),
            nickname: if is_operator {
                OPERATOR.to_owned()
            } else {
                profile.nickname
            },
            frame: non_empty(profile.frame),
            plate: non_empty(profile.plate),
            is_operator,
        }
    }

    fn of(profiles: Vec<auth::PublicProfile>) -> Self {
        let profiles = profiles.into_iter();
        Self {
            profiles: Some(profiles.map(|one| (one.member_id, one)).collect()),
            levels: HashMap::new(),
        }
    }
}

fn gone() -> auth::PublicProfile {
    auth::PublicProfile {
        nickname: GONE.to_owned(),
        ..auth::PublicProfile::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_name_unless_auth_is_away() {
        let kim = auth::PublicProfile {
            member_id: 100_000,
            nickname: "김씨앗".to_owned(),
            frame: "frame-gold".to_owned(),
            plate: String::new(),
        };
        let people = People::of(vec![kim]);
        let author = people.author(100_000);
        assert_eq!(author.nickname, "김씨앗");
        assert_eq!(author.frame.as_deref(), Some("frame-gold"));
        assert_eq!(author.plate, None);
        assert_eq!(people.author(100_001).nickname, GONE);
        let operator = people.author(23_488);
        assert_eq!(operator.nickname, OPERATOR);
        assert!(operator.is_operator && !author.is_operator);

        let away = People {
            profiles: None,
            levels: HashMap::new(),
        };
        assert_eq!(away.author(100_000).nickname, "");
        for people in [&people, &away] {
            let left = people.author(0);
            assert_eq!((left.nickname.as_str(), left.level), (GONE, None));
        }
        assert!(people.knows(100_000) && !people.knows(100_001) && !away.knows(100_000));
    }
}
