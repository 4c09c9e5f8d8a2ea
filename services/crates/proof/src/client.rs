//! One client: does something at random, asks again until it is told what became of it, and
//! compares what it is told with what it knows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rust_decimal::Decimal;

use crate::Arguments;
use crate::dice::Dice;
use crate::door::Door;
use crate::mischief;
use crate::model::{Known, Model, State};
use crate::told::{Previewed, Told};
use crate::wish::{Act, Answer, Category, Outcome, Sheet, Side, Wish};
use crate::work::Work;

const PAUSE: Duration = Duration::from_millis(200);
const SHEET_AGE: Duration = Duration::from_secs(1);
/// Requests that a client keeps in mind to repeat.
const REMEMBERED: usize = 50;

pub(crate) struct Client {
    pub(crate) door: Door,
    pub(crate) dice: Dice,
    patience: Duration,
    codes: Vec<String>,
    name: String,
    serial: u64,
    sheets: BTreeMap<String, (Instant, Sheet)>,
    pub(crate) model: Model,
    pub(crate) done: Vec<Wish>,
    pub(crate) told: Told,
}

impl Client {
    pub(crate) fn new(arguments: &Arguments, index: u64, door: Door) -> Self {
        Self {
            door,
            dice: Dice::new(arguments.seed.wrapping_mul(0x1000_0001).wrapping_add(index)),
            patience: Duration::from_secs(arguments.patience_s),
            codes: arguments.codes.clone(),
            name: format!("proof-{}-{index}", arguments.seed),
            serial: 0,
            sheets: BTreeMap::new(),
            model: Model::new(arguments.splits.clone()),
            done: Vec::new(),
            told: Told::default(),
        }
    }

    /// Places so many orders that will wait: a fifth below the market, for the day.
    pub(crate) async fn rest(&mut self, orders: u64) {
        // Some are refused, for they come to more than their member has or less than an order may be.
        for _ in 0..orders * 3 {
            if self.told.placed >= orders {
                break;
            }
            let member_id = self.door.member(&mut self.dice);
            let Some(code) = self
                .code()
                .filter(|code| Category::of(code) != Category::Coin)
            else {
                continue;
            };
            let Some(sheet) = self.sheet(member_id, &code).await else {
                continue;
            };
            let price = sheet.on_tick(sheet.last * Decimal::new(80, 2));
            if price.is_some() {
                let wish = self.order(member_id, code, Side::Buy, price, sheet.step);
                self.carry_out(wish).await;
            }
        }
    }

    /// Works as long as there is work, and answers what it was told.
    pub(crate) async fn work(mut self, work: Arc<Work>) -> Told {
        while work.take() {
            self.operate().await;
        }
        if let Door::Public(phone) = &self.door {
            self.told.logins = phone.logins.load(Ordering::Relaxed);
            self.told.renewals = phone.renewals.load(Ordering::Relaxed);
        }
        self.told
    }

    async fn operate(&mut self) {
        match self.dice.below(40) {
            0..=4 => {
                if let Some(known) = self.model.pick(&mut self.dice) {
                    let wish = self.cancellation(&known);
                    return self.carry_out(wish).await;
                }
            }
            5..=10 => {
                if let Some(known) = self.model.pick(&mut self.dice)
                    && let Some(wish) = self.modification(&known).await
                {
                    return self.carry_out(wish).await;
                }
            }
            11..=13 => {
                if let Some(wish) = self.dice.pick(&self.done).cloned() {
                    self.told.repeated += 1;
                    return self.carry_out(wish).await;
                }
            }
            14 => {
                if let Some(known) = self.model.pick(&mut self.dice)
                    && known.state == State::Open
                    && let Some(wish) = self.modification(&known).await
                {
                    return self.race(&known, wish).await;
                }
            }
            15 => {
                if let Some(trick) = mischief::think_of(self).await {
                    return self.be_refused(trick).await;
                }
            }
            _ => {}
        }
        if let Some(wish) = self.placement().await {
            self.place(wish).await;
        }
    }

    /// Asks until there is an answer, and takes it.
    async fn carry_out(&mut self, wish: Wish) {
        if let Some(answer) = self.insist(&wish).await {
            self.take(wish, answer);
        }
    }

    /// Now and then an order is previewed first.
    async fn place(&mut self, wish: Wish) {
        let shown = if wish.price.is_some() && self.dice.below(4) == 0 {
            self.door.preview(&wish).await
        } else {
            None
        };
        let Some(answer) = self.insist(&wish).await else {
            return;
        };
        if let (Some(cost), Answer::Done(reply)) = (shown, &answer) {
            let order_id = reply.order_id;
            self.told.previews.push(Previewed { order_id, cost });
        }
        self.take(wish, answer);
    }

    /// Two requests about one order at the same moment, or one request twice.
    async fn race(&mut self, known: &Known, first: Wish) {
        let second = match self.dice.below(3) {
            0 => first.clone(),
            1 => self.cancellation(known),
            _ => match self.modification(known).await {
                Some(other) => other,
                None => return,
            },
        };
        self.told.raced += 1;
        let (patience, door) = (self.patience, &self.door);
        let (one, other) = tokio::join!(
            ask_on(door, &first, patience),
            ask_on(door, &second, patience)
        );
        self.told.failed_calls += one.1 + other.1;
        let (one, other) = (
            self.resolved(&first, one.0),
            self.resolved(&second, other.0),
        );
        let (Some(one), Some(other)) = (one, other) else {
            return;
        };
        let is_one_request = first.key == second.key;
        if is_one_request != (one == other)
            && (is_one_request || matches!((&one, &other), (Answer::Done(_), Answer::Done(_))))
        {
            self.told.fault(format!(
                "of {first:?} and {second:?} at once: {one:?} and {other:?}"
            ));
        }
        // What was refused for other reasons than the order's end came before it, and what ended
        // it before those that it came too late for.
        let mut heard = [(first, one), (second, other)];
        heard.sort_by_key(|(_, answer)| match answer {
            Answer::Refused(reason) if !is_end(reason) => 0,
            Answer::Done(_) => 1,
            Answer::Refused(_) => 2,
        });
        for (wish, answer) in heard {
            self.take(wish, answer);
        }
    }

    /// A request that must be refused with one of the reasons it names.
    async fn be_refused(&mut self, trick: mischief::Trick) {
        self.told.mischief += 1;
        let Some(answer) = self.insist(&trick.wish).await else {
            return;
        };
        let as_expected = match &answer {
            Answer::Done(_) => false,
            Answer::Refused(reason) => trick.reasons.contains(&reason.as_str()),
        };
        if !as_expected {
            let Some(expected) = trick.reasons.first() else {
                return;
            };
            self.told.fault(format!(
                "{:?}: {answer:?} instead of {expected}",
                trick.wish
            ));
        }
        if trick.is_stored {
            self.note(&trick.wish, answer);
        }
    }

    /// Compares an answer with the one before, or with the model if it is the first.
    fn take(&mut self, wish: Wish, answer: Answer) {
        if !self.note(&wish, answer.clone()) {
            return;
        }
        let was_open =
            matches!(wish.act, Act::Cancel(id) | Act::Modify(id) if self.model.is_open(id));
        let sheet = self.sheets.get(&wish.code).map(|(_, sheet)| sheet);
        if let Err(fault) = self.model.take(&wish, &answer, sheet, &mut self.dice) {
            self.told.fault(format!("{wish:?}: {fault}"));
        }
        match &answer {
            Answer::Done(_) => match wish.act {
                Act::Place => self.told.placed += 1,
                Act::Cancel(_) => self.told.canceled += 1,
                Act::Modify(_) => self.told.modified += 1,
            },
            Answer::Refused(reason) => {
                *self.told.refusals.entry(reason.clone()).or_default() += 1;
                if let Act::Cancel(id) | Act::Modify(id) = wish.act
                    && was_open
                    && reason == "ORDER_STATE"
                {
                    self.told.ended_alone.push(id);
                }
            }
        }
        if self.done.len() >= REMEMBERED {
            let count = u64::try_from(self.done.len()).unwrap_or(1);
            if let Ok(index) = usize::try_from(self.dice.below(count)) {
                self.done.swap_remove(index);
            }
        }
        self.done.push(wish);
    }

    /// Writes an answer down; `false` when the request had one already.
    fn note(&mut self, wish: &Wish, answer: Answer) -> bool {
        match self.told.answers.get(&wish.identity()) {
            Some(before) => {
                if *before != answer {
                    let fault = format!("{:?}: {before:?}, then {answer:?}", wish.identity());
                    self.told.fault(fault);
                }
                false
            }
            None => {
                self.told.answers.insert(wish.identity(), answer);
                true
            }
        }
    }

    async fn insist(&mut self, wish: &Wish) -> Option<Answer> {
        let (answer, failed) = ask_on(&self.door, wish, self.patience).await;
        self.told.failed_calls += failed;
        self.resolved(wish, answer)
    }

    fn resolved(&mut self, wish: &Wish, answer: Result<Answer, String>) -> Option<Answer> {
        answer
            .map_err(|trouble| self.told.unresolved.push(format!("{wish:?}: {trouble}")))
            .ok()
    }

    pub(crate) fn key(&mut self) -> String {
        self.serial += 1;
        format!("{}-{}", self.name, self.serial)
    }

    pub(crate) fn code(&mut self) -> Option<String> {
        self.dice.pick(&self.codes).cloned()
    }

    fn cancellation(&mut self, known: &Known) -> Wish {
        Wish {
            member_id: known.member_id,
            key: self.key(),
            act: Act::Cancel(known.order_id),
            code: known.code.clone(),
            side: known.side,
            price: None,
            quantity: None,
        }
    }

    /// Another price, another quantity, or both. A market order has no price to change.
    async fn modification(&mut self, known: &Known) -> Option<Wish> {
        let sheet = self.sheet(known.member_id, &known.code).await?;
        let what = if known.price.is_none() {
            1
        } else {
            self.dice.below(3)
        };
        let price = if what == 1 { None } else { self.near(&sheet) };
        let quantity = if what == 0 {
            None
        } else {
            let part = known.quantity * Decimal::from(1 + self.dice.below(6)) / Decimal::from(4);
            Some((part - part % sheet.step).max(sheet.step))
        };
        if price.is_none() && quantity.is_none() {
            return None;
        }
        Some(Wish {
            member_id: known.member_id,
            key: self.key(),
            act: Act::Modify(known.order_id),
            code: known.code.clone(),
            side: known.side,
            price,
            quantity,
        })
    }

    async fn placement(&mut self) -> Option<Wish> {
        let member_id = self.door.member(&mut self.dice);
        if self.dice.below(3) == 0
            && let Some(sale) = self.sale(member_id).await
        {
            return Some(sale);
        }
        let code = self.code()?;
        let sheet = self.sheet(member_id, &code).await?;
        let price = self.limit(&sheet);
        // About 50,000원 to 500,000원.
        let won = Decimal::from(50_000 + self.dice.below(450_000));
        let units = won.checked_div(sheet.last.checked_mul(sheet.rate)?)?;
        let quantity = (units - units % sheet.step).max(sheet.step);
        Some(self.order(member_id, code, Side::Buy, price, quantity))
    }

    async fn sale(&mut self, member_id: i64) -> Option<Wish> {
        let owned = self.door.owned(member_id).await?;
        let (code, free) = self.dice.pick(&owned)?.clone();
        let sheet = self.sheet(member_id, &code).await?;
        let part = free * Decimal::from(1 + self.dice.below(4)) / Decimal::from(4);
        let quantity = part - part % sheet.step;
        if quantity <= Decimal::ZERO {
            return None;
        }
        let price = self.limit(&sheet);
        Some(self.order(member_id, code, Side::Sell, price, quantity))
    }

    pub(crate) fn order(
        &mut self,
        member_id: i64,
        code: String,
        side: Side,
        price: Option<Decimal>,
        quantity: Decimal,
    ) -> Wish {
        Wish {
            member_id,
            key: self.key(),
            act: Act::Place,
            code,
            side,
            price,
            quantity: Some(quantity),
        }
    }

    /// No price, or one near the last.
    fn limit(&mut self, sheet: &Sheet) -> Option<Decimal> {
        if self.dice.below(2) == 0 {
            return None;
        }
        self.near(sheet)
    }

    /// A price on a tick at most two percent from the last.
    fn near(&mut self, sheet: &Sheet) -> Option<Decimal> {
        let permille = Decimal::from(980 + self.dice.below(41));
        sheet.on_tick(sheet.last * permille / Decimal::ONE_THOUSAND)
    }

    /// The order sheet of an instrument, at most a second old.
    pub(crate) async fn sheet(&mut self, member_id: i64, code: &str) -> Option<Sheet> {
        if let Some((at, sheet)) = self.sheets.get(code)
            && at.elapsed() < SHEET_AGE
        {
            return Some(sheet.clone());
        }
        let Some(sheet) = self.door.sheet(member_id, code).await else {
            self.told.failed_calls += 1;
            tokio::time::sleep(PAUSE).await;
            return None;
        };
        self.sheets
            .insert(code.to_owned(), (Instant::now(), sheet.clone()));
        Some(sheet)
    }
}

/// Whether a refusal says that the order is over.
fn is_end(reason: &str) -> bool {
    ["ORDER_STATE", "ORDER_ALREADY_FILLED"].contains(&reason)
}

/// Asks until there is an answer, always with the same retry key; how many calls had none.
async fn ask_on(door: &Door, wish: &Wish, patience: Duration) -> (Result<Answer, String>, u64) {
    let asked = Instant::now();
    let mut failed = 0;
    loop {
        match door.ask(wish).await {
            Outcome::Told(answer) => return (Ok(answer), failed),
            Outcome::Unknown(trouble) if asked.elapsed() > patience => {
                return (Err(trouble), failed);
            }
            Outcome::Unknown(_) => {
                failed += 1;
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
