//! What is asked of the gains of some accounts, as the statements take it.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use sea_orm::Value;

use super::filter::{ProfitFilter, Span};
use super::owned::Owned;
use crate::seasons::span::SeasonSpan;

pub(super) struct Question<'a> {
    pub(super) member_id: MemberId,
    pub(super) accounts: &'a [i64],
    pub(super) season: &'a SeasonSpan,
    pub(super) filter: &'a ProfitFilter,
    pub(super) owned: &'a Owned,
    pub(super) today: NaiveDate,
}

impl Question<'_> {
    pub(super) fn span(&self) -> Span {
        self.filter.span(self.today)
    }

    /// The parameters that all statements have; history is read from and before these instants.
    pub(super) fn values(&self, (from, before): (DateTime<Utc>, DateTime<Utc>)) -> Vec<Value> {
        let filter = self.filter;
        let span = self.span().open_ended(self.today);
        let markets = filter.scope.markets();
        let markets =
            markets.map(|all| all.into_iter().map(str::to_owned).collect::<Vec<String>>());
        let mut values: Vec<Value> = vec![
            self.accounts.to_vec().into(),
            from.into(),
            before.into(),
            markets.into(),
            filter.instrument_code.clone().into(),
        ];
        values.extend(self.owned.values());
        values.extend([
            self.today.into(),
            span.from.into(),
            span.to.into(),
            filter.kind.as_str().into(),
            filter.grouping.as_str().into(),
            self.member_id.into(),
            self.season.fills.after.into(),
            self.season.fills.through.into(),
            self.season.of_rows.into(),
        ]);
        values
    }
}
