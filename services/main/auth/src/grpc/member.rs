use kernel::MemberId;
use proto::auth::v1 as wire;
use proto::convert::micros;

use super::Service;
use crate::domain::nickname::changeable_at;
use crate::entity::member;
use crate::error::AuthError;

impl Service {
    pub(super) async fn find_member(&self, member: MemberId) -> Result<wire::Member, AuthError> {
        let row = self.store.member(member).await?;
        row.map(|row| self.to_wire(row))
            .ok_or(AuthError::MemberNotFound)
    }

    pub(super) fn to_wire(&self, row: member::Model) -> wire::Member {
        let changeable_at = changeable_at(row.nickname_changed_at, self.clock.now());
        wire::Member {
            member_id: row.id.0,
            email: row.email,
            nickname: row.nickname,
            gender: row.gender.unwrap_or_default(),
            birth_year: row.birth_year.map(i32::from).unwrap_or_default(),
            os: row.os.unwrap_or_default(),
            tutorial_done: row.tutorial_done,
            welcome_popup_seen: row.welcome_popup_seen,
            subscribe: row.subscribe,
            competition_mode: row.competition_mode,
            operator: row.id == MemberId::OPERATOR,
            email_verified: row.email_verified,
            joined_at_us: micros(row.joined_at),
            nickname_changeable_at_us: changeable_at.map(micros).unwrap_or_default(),
            frame: row.frame.unwrap_or_default(),
            plate: row.plate.unwrap_or_default(),
            theme: row.theme.unwrap_or_default(),
        }
    }
}
