use kernel::{Quantity, Won};
use proto::trading::v1::OrderReply;

use super::change::{ChangeRequest, Locked, OrderResult};
use crate::entity::account;
use crate::error::TradingError;
use crate::events;
use crate::matching::balances::SettlementError;
use crate::orders::order::{OrderEvent, end_reason};
use crate::store::Store;
use crate::store::request::StoredReplies;
use crate::store::write_set::WriteSet;

impl Store {
    /// Cancels what remains of an order and releases its hold.
    ///
    /// # Errors
    /// [`TradingError`]: not found, already final, or of the database.
    pub async fn cancel_order(&self, cancel: &ChangeRequest) -> OrderResult {
        let decide = |locked: Locked, _: &mut StoredReplies, writes: &mut WriteSet| {
            self.cancel(locked, writes)
        };
        self.change(cancel, 0, decide).await
    }

    fn cancel(
        &self,
        mut locked: Locked,
        writes: &mut WriteSet,
    ) -> Result<OrderResult, TradingError> {
        locked.adjust_hold(Quantity(-locked.order.remaining().0), writes)?;
        let Locked {
            mut order,
            account: account::WithWon { mut account, .. },
            now,
            ..
        } = locked;
        account.open_orders -= 1;
        writes.hold_change(account.id, Won(-order.held_won.0));
        order.held_won = Won::ZERO;
        let from = order.status;
        order.status = from
            .after(OrderEvent::Canceled)
            .map_err(SettlementError::from)?;
        end_reason::CANCELED_BY_MEMBER.clone_into(&mut order.end_reason);
        writes.account(&account);
        writes.order(&order, now);
        writes.order_event(&order, Some(from.as_str()), &order.end_reason, now);
        let wire = self.order_view(&order, &account.account_no);
        let clock = self.clock.as_ref();
        writes.event(&events::order_changed(order.member_id, wire.clone(), clock));
        Ok(Ok(OrderReply {
            order: Some(wire),
            replayed: false,
            message: format!(
                "{} {} 취소 완료",
                order.instrument_name,
                order.side.korean()
            ),
            fills: Vec::new(),
        }))
    }
}
