//! Wealth levels of members, which are trading's, beside names that are auth's.

use std::collections::HashMap;

use proto::trading::v1 as trading;

use crate::state::AppState;

/// Shown of a member whom auth does not know any more.
pub(super) const GONE: &str = "탈퇴한 사용자";

/// None while trading is away: a name without a level is better than none.
pub(super) async fn levels(
    state: &AppState,
    member_ids: Vec<i64>,
) -> HashMap<i64, trading::MemberLevel> {
    let request = trading::ListLevelsRequest { member_ids };
    let told = state
        .trading
        .call_idempotent(async |mut trading| trading.list_levels(request.clone()).await)
        .await;
    match told {
        Ok(told) => {
            let levels = told.levels.into_iter();
            levels.map(|one| (one.member_id, one)).collect()
        }
        Err(error) => {
            tracing::debug!(%error, "members are shown without levels");
            HashMap::new()
        }
    }
}
