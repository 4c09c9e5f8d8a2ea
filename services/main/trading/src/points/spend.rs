//! Takes points for something that another service gives, once per key.

use kernel::{AccountId, MemberId, RequestId};
use proto::trading::v1::SpendPointsReply;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::change::{NewChange, PointChangeKind};
use super::transfer::insufficient;
use crate::entity::point_change;
use crate::error::TradingError;
use crate::ledger::{self, Asset, JournalKind, Source};
use crate::store::Store;
use crate::store::once::{Books, MoneyAct, MoneyRequest};
use crate::store::request::RequestDigest;

/// A request of another service to take points of a member.
#[derive(Clone, Debug)]
pub struct SpendPoints {
    pub member_id: MemberId,
    /// Kept for ever, and apart from the keys of members' requests.
    pub key: RequestId,
    pub digest: RequestDigest,
    /// At least 1.
    pub points: i64,
    /// UPPER_SNAKE.
    pub reason: String,
}

struct Act<'a> {
    account: AccountId,
    request: &'a SpendPoints,
}

impl Store {
    /// Takes points of a member.
    ///
    /// # Errors
    /// [`TradingError`]: too few points, a key that was used for something else, or of the database.
    pub async fn spend_points(
        &self,
        request: &SpendPoints,
    ) -> Result<SpendPointsReply, TradingError> {
        let (account, _) = self.open_basic_account(request.member_id).await?;
        // The row of the change knows the key. As the key of a request the member could use it first,
        // and the service would never learn what became of its own.
        let fresh = Uuid::new_v4().to_string();
        let request_id =
            RequestId::parse(&fresh).map_err(|_shape| TradingError::Malformed("key"))?;
        let money_request =
            MoneyRequest::new(request.member_id, &request_id, &request.digest, [account]);
        self.once(&money_request, &Act { account, request }).await
    }
}

impl MoneyAct for Act<'_> {
    type Reply = SpendPointsReply;

    async fn run(&self, books: &mut Books<'_>) -> Result<SpendPointsReply, TradingError> {
        let SpendPoints {
            key,
            points,
            reason,
            ..
        } = self.request;
        let asset = Asset::EducationPoint;
        let has = ledger::amount_of(books.transaction, self.account, asset).await?;
        let earlier = point_change::Entity::find()
            .filter(point_change::Column::AccountId.eq(self.account))
            .filter(point_change::Column::Kind.eq(PointChangeKind::Spent.as_str()))
            .filter(point_change::Column::SourceKey.eq(key.as_str()))
            .one(books.transaction)
            .await?;
        if let Some(earlier) = earlier {
            if (earlier.points, &earlier.reason) != (-points, reason) {
                return Err(TradingError::RequestIdReused);
            }
            return Ok(SpendPointsReply {
                education_points: has,
                replayed: true,
            });
        }
        if has < *points {
            // Not stored: the caller's key is one of its cause, and points may be earned meanwhile.
            let refusal = insufficient("학습포인트가 부족해요.", *points, has);
            return Err(refusal.passing().into());
        }
        let change = NewChange {
            source_key: Some(key.to_string()),
            reason: reason.clone(),
            ..NewChange::new(self.account, PointChangeKind::Spent, -points, books.now)
        };
        let source = Source::PointChange(change.write(books.transaction).await?);
        books
            .post(JournalKind::PointsSpent, source, change.postings())
            .await?;
        Ok(SpendPointsReply {
            education_points: has - points,
            replayed: false,
        })
    }
}
