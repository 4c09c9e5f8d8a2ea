//! Streak freezes: those that were bought in trading, and what trading hears of all of them.

use kernel::MemberId;
use messaging::outbox;
use sqlx::PgConnection;

use super::Store;
use super::streaks::note_changes;
use super::student::Student;
use crate::domain::calendar::day_of;
use crate::error::StudyError;
use crate::events::freezes_changed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoughtFreezes {
    pub purchase_id: i64,
    pub member: MemberId,
    /// At least 1.
    pub quantity: i16,
}

/// What became of a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delivery {
    pub(super) purchase_id: i64,
    pub(super) is_refused: bool,
}

impl Store {
    /// Adds bought freezes, or refuses all of a purchase that exceeds what a member can hold, and
    /// tells trading which. Each purchase is decided once. Days that are due are judged first, so
    /// that a freeze covers none of them.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn add_bought_freezes(&self, bought: BoughtFreezes) -> Result<(), StudyError> {
        let BoughtFreezes {
            purchase_id,
            member,
            quantity,
        } = bought;
        let now = self.clock.now();
        let today = day_of(now);
        let (mut transaction, mut student) = self.begin(member, today).await?;
        self.judge(&mut transaction, &mut student, now).await?;
        let mut streak = student.streak();
        let change = streak.add_bought(quantity, today);
        let is_refused = change.is_none();
        let decided = sqlx::query(
            "insert into freeze_purchase (purchase_id, member_id, quantity, is_refused, \
             received_at) values ($1, $2, $3, $4, $5) on conflict do nothing",
        )
        .bind(purchase_id)
        .bind(member.0)
        .bind(quantity)
        .bind(is_refused)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        if decided.rows_affected() == 0 {
            return Ok(());
        }
        note_changes(&mut transaction, member, change.as_slice(), now).await?;
        student.set_streak(&streak);
        let delivery = Delivery {
            purchase_id,
            is_refused,
        };
        self.tell_freezes(&mut transaction, &mut student, Some(delivery))
            .await?;
        student.save(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Tells how many freezes `student` holds; the caller saves it.
    pub(super) async fn tell_freezes(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        delivery: Option<Delivery>,
    ) -> Result<(), sqlx::Error> {
        student.freezes_version = student.freezes_version.saturating_add(1);
        let event = freezes_changed(
            student.member(),
            student.streak().freezes,
            student.freezes_version,
            delivery.map(|it| (it.purchase_id, it.is_refused)),
            self.clock.as_ref(),
        );
        outbox::append_all(connection, [event]).await
    }
}
