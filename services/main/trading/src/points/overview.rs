//! A member's points at a glance, and the popup before the first transfer.

use kernel::{MemberId, wealth::WealthLevel};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter};

use super::change::kst_day;
use crate::entity::{account, point_total};
use crate::error::TradingError;
use crate::ledger::{self, Asset};
use crate::store::Store;

/// Education points of a KST day at which quizzes, sets, articles and surveys stop earning. Education
/// keeps to it; here it is only shown.
pub const DAY_CAP: i64 = 100;

/// What a member has and had.
#[derive(Clone, Copy, Debug)]
pub struct PointOverview {
    pub balance: i64,
    pub earned: i64,
    pub moved: i64,
    pub spent: i64,
    /// Earned on the current KST day, as far as the cap counts it.
    pub earned_today: i64,
    /// Its multiplier would be that of a transfer now.
    pub level: WealthLevel,
    pub is_transfer_popup_seen: bool,
}

impl Store {
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn point_overview(&self, member_id: MemberId) -> Result<PointOverview, TradingError> {
        let (id, _) = self.open_basic_account(member_id).await?;
        let account = account::Entity::find_by_id(id).one(&self.db).await?;
        let account =
            account.ok_or_else(|| DbErr::RecordNotFound(format!("account {id} of a member")))?;
        let total = point_total::Entity::find_by_id(id).one(&self.db).await?;
        let total = total.unwrap_or_else(|| point_total::Model::empty(id));
        let today = kst_day(self.clock.now());
        Ok(PointOverview {
            balance: ledger::amount_of(&self.db, id, Asset::EducationPoint).await?,
            earned: total.earned,
            moved: total.moved,
            spent: total.spent,
            earned_today: if total.day == today {
                total.earned_on_day
            } else {
                0
            },
            level: self.member_totals(&self.db, member_id).await?.level,
            is_transfer_popup_seen: account.transfer_popup_seen,
        })
    }

    /// Notes that the popup of the first transfer was seen.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn see_transfer_popup(&self, member_id: MemberId) -> Result<(), TradingError> {
        let (id, _) = self.open_basic_account(member_id).await?;
        account::Entity::update_many()
            .col_expr(account::Column::TransferPopupSeen, Expr::value(true))
            .filter(account::Column::Id.eq(id))
            .filter(account::Column::TransferPopupSeen.eq(false))
            .exec(&self.db)
            .await?;
        Ok(())
    }
}
