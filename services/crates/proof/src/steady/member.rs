//! A member under steady load: what one looks at, orders and takes back, one request at a time.

use std::fmt::{Display, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use reqwest::{Method, StatusCode};
use rust_decimal::Decimal;
use serde_json::Value;

use super::Tally;
use crate::dice::Dice;
use crate::phone::Phone;
use crate::wish::{Act, Answer, Outcome, Side, Wish};

/// Orders that one member lets wait.
const MOST_WAITING: usize = 20;
const STOCK: &str = "005930";

/// A member with a phone, and the orders that wait for a price nobody will ask.
pub(super) struct Member {
    pub(super) phone: Phone,
    waiting: Mutex<Vec<i64>>,
    /// What a share may be bid that is not going to be sold for it.
    low_bid: Option<Decimal>,
}

impl Member {
    pub(super) async fn with(phone: Phone) -> Self {
        let sheet = phone.sheet(STOCK).await;
        // Four fifths of the price: within the day's limits, and far from where trades are.
        let low_bid = sheet.and_then(|sheet| sheet.on_tick(sheet.last * Decimal::new(8, 1)));
        Self {
            phone,
            waiting: Mutex::default(),
            low_bid,
        }
    }

    /// One request of what members do.
    pub(super) async fn act(&self, dice: &mut Dice, tally: &Tally) {
        match dice.below(20) {
            0..=1 => self.buy(dice, tally).await,
            2 => self.bid(dice, tally).await,
            3 => self.take_back(dice, tally).await,
            other => self.look(other, dice, tally).await,
        }
    }

    async fn look(&self, what: u64, dice: &mut Dice, tally: &Tally) {
        let member = self.phone.member_id();
        let code = dice.pick(&super::CODES).copied().unwrap_or(STOCK);
        let path = match what {
            4 => "/api/v1/stock/list?marketCode=KOSPI&page=1".to_owned(),
            5 => format!("/api/v1/invest/account/{member}"),
            6 => format!("/api/v1/stock/wait/member/{member}"),
            7 => format!("/api/v1/stock/member/{member}"),
            8 => format!("/api/v1/member/{member}"),
            9 => format!("/api/v1/stock/popular/member/{member}"),
            10 => format!("/api/v1/invest/member/{member}/code/{code}"),
            11 => format!("/api/v1/stock/get-stock-detail-time-tab?isuSrtCd={code}"),
            12 => "/api/v1/stock/search/get-stock-list?searchTxt=%EC%82%BC%EC%84%B1".to_owned(),
            _ => format!("/api/v1/stock/real/code/{code}"),
        };
        let started = Instant::now();
        let answer = self.phone.call(Method::GET, &path, None).await;
        tally.note(&path, started, &answer);
    }

    /// A purchase at whatever it costs.
    async fn buy(&self, dice: &mut Dice, tally: &Tally) {
        let code = dice.pick(&super::CODES).copied().unwrap_or(STOCK);
        let wish = self.wish(dice, Act::Place, code, None);
        self.order(&wish, tally).await;
    }

    /// A purchase that waits.
    async fn bid(&self, dice: &mut Dice, tally: &Tally) {
        if self.waiting.lock().len() >= MOST_WAITING {
            return self.take_back(dice, tally).await;
        }
        let wish = self.wish(dice, Act::Place, STOCK, self.low_bid);
        if let Some(Answer::Done(reply)) = self.order(&wish, tally).await {
            self.waiting.lock().push(reply.order_id);
        }
    }

    /// Takes a waiting order back, or changes its quantity.
    async fn take_back(&self, dice: &mut Dice, tally: &Tally) {
        let Some(order_id) = self.waiting.lock().pop() else {
            return self.buy(dice, tally).await;
        };
        if dice.below(4) > 0 {
            let wish = self.wish(dice, Act::Cancel(order_id), STOCK, None);
            self.order(&wish, tally).await;
            return;
        }
        let mut wish = self.wish(dice, Act::Modify(order_id), STOCK, None);
        wish.quantity = Some(Decimal::TWO);
        if let Some(Answer::Done(reply)) = self.order(&wish, tally).await {
            self.waiting.lock().push(reply.order_id);
        }
    }

    fn wish(&self, dice: &mut Dice, act: Act, code: &str, price: Option<Decimal>) -> Wish {
        Wish {
            member_id: self.phone.member_id(),
            key: format!("steady-{}", dice.roll()),
            act,
            code: code.to_owned(),
            side: Side::Buy,
            price,
            quantity: matches!(act, Act::Place).then_some(Decimal::ONE),
        }
    }

    /// Asks once: what has no answer has failed.
    async fn order(&self, wish: &Wish, tally: &Tally) -> Option<Answer> {
        let started = Instant::now();
        let (told, trouble) = match self.phone.ask(wish).await {
            Outcome::Told(answer) => (Some(answer), None),
            Outcome::Unknown(trouble) => (None, Some(trouble)),
        };
        // Nothing but the end of the day can come before what is taken back.
        let lost = match (&told, wish.act) {
            (Some(Answer::Refused(reason)), Act::Cancel(_)) if reason != "ORDER_STATE" => {
                Some(reason.clone())
            }
            _ => trouble,
        };
        tally.count(&format!("{:?}", wish.act), started, lost);
        told
    }
}

/// Why the answer to a look counts as a failure.
pub(super) fn trouble(answer: &reqwest::Result<(StatusCode, Value)>) -> Option<String> {
    match answer {
        Ok((status, _)) if status.is_success() => None,
        Ok((status, body)) => Some(format!("{status} {body}")),
        Err(error) => Some(format!("{error:?}")),
    }
}

/// How members' sessions went on.
#[derive(Clone, Copy)]
pub(super) struct Sessions {
    renewed: u64,
    begun: u64,
    /// Renewals and logins without an answer.
    pub(super) lost: u64,
}

impl Sessions {
    pub(super) fn of(members: &[Arc<Member>]) -> Self {
        let sum = |of: fn(&Phone) -> &AtomicU64| {
            let counts = members.iter().map(|member| of(&member.phone));
            counts.map(|count| count.load(Ordering::Relaxed)).sum()
        };
        Self {
            renewed: sum(|phone| &phone.renewals),
            begun: sum(|phone| &phone.logins),
            lost: sum(|phone| &phone.failed_renewals),
        }
    }

    pub(super) fn since(self, before: Self) -> Self {
        Self {
            renewed: self.renewed - before.renewed,
            begun: self.begun - before.begun,
            lost: self.lost - before.lost,
        }
    }
}

impl Display for Sessions {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "sessions were renewed {} times, {} of them by logging in; {} could not be",
            self.renewed, self.begun, self.lost
        )
    }
}
