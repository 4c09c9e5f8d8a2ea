//! Cards from a member's own trades.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use kernel::day::yyyymmdd;
use proto::common::v1::Currency;
use proto::convert::{decimal, micros};
use proto::education::v1 as wire;
use proto::education::v1::card_service_server::CardService;
use tonic::{Request, Response};

use super::{Service, term};
use crate::domain::cards::{CardKind, ClosedContract, Concentration};
use crate::domain::trade_cards::{OrderCard, TradedOrder};
use crate::error::StudyError;
use crate::store::{Card, CardFacts, CardKey, CardQuery};

#[tonic::async_trait]
impl CardService for Service {
    async fn list_trade_cards(
        &self,
        request: Request<wire::ListTradeCardsRequest>,
    ) -> Reply<wire::TradeCards> {
        let request = request.into_inner();
        let query = match (request.order_id, request.account_no) {
            (0, account_no) if account_no.is_empty() => CardQuery::Newest,
            (0, account_no) => CardQuery::Contract(account_no),
            (id, account_no) if id > 0 && account_no.is_empty() => CardQuery::Order(id),
            (_, _) => return Err(StudyError::Malformed.into()),
        };
        let member = MemberId(request.member_id);
        let cards = self.store.cards(member, &query).await?;
        Ok(Response::new(wire::TradeCards {
            cards: cards
                .into_iter()
                .map(|card| self.trade_card(card))
                .collect(),
        }))
    }

    async fn open_card_quiz(
        &self,
        request: Request<wire::OpenCardQuizRequest>,
    ) -> Reply<wire::QuizSet> {
        let request = request.into_inner();
        let of_order = |kind| CardKey::Order(kind, request.order_id);
        let key = match request.kind() {
            wire::CardKind::Slippage => of_order(OrderCard::Slippage),
            wire::CardKind::Exchange => of_order(OrderCard::Exchange),
            wire::CardKind::Waited => of_order(OrderCard::Waited),
            wire::CardKind::Partial => of_order(OrderCard::Partial),
            wire::CardKind::Tax => of_order(OrderCard::Tax),
            wire::CardKind::Fee => of_order(OrderCard::Fee),
            wire::CardKind::EarlyClose => CardKey::EarlyClose(request.account_no),
            wire::CardKind::Concentration => CardKey::Concentration(request.instrument_code),
            wire::CardKind::Unspecified => return Err(StudyError::Malformed.into()),
        };
        let member = MemberId(request.member_id);
        let set = self.store.open_card_quiz(member, &key).await?;
        Ok(Response::new(self.set(&set)))
    }
}

impl Service {
    fn trade_card(&self, card: Card) -> wire::TradeCard {
        let kind = card.facts.kind();
        let references = kind.references();
        let library = self.library();
        let article = library
            .reading(references.article)
            .map(|reading| &reading.article);
        let term_of = |word| library.term(word).map(|found| term(library, found));
        let explained = wire::TradeCard {
            kind: wire_kind(kind).into(),
            term: references.term.and_then(term_of),
            article_id: references.article.to_owned(),
            article_title: article.map_or_else(String::new, |article| article.title.clone()),
            article_summary: article.map_or_else(String::new, |article| article.summary.clone()),
            is_due: card.is_due,
            ..wire::TradeCard::default()
        };
        match card.facts {
            CardFacts::Order(kind, order) => of_order(kind, order, explained),
            CardFacts::EarlyClose(contract) => wire::TradeCard {
                contract: Some(wire_contract(contract)),
                ..explained
            },
            CardFacts::Concentration(concentration) => wire::TradeCard {
                concentration: Some(wire_concentration(concentration)),
                ..explained
            },
        }
    }
}

fn of_order(kind: OrderCard, order: TradedOrder, explained: wire::TradeCard) -> wire::TradeCard {
    wire::TradeCard {
        order_id: order.order_id,
        is_sale: order.is_sale,
        traded_at_us: micros(order.traded_at),
        won: order.won(kind),
        slippage_ticks: order.slippage_ticks,
        fills: order.fills,
        filled_quantity: Some(decimal(order.filled_quantity)),
        limit_price: order.limit_price.map(decimal),
        currency: match order.currency.as_str() {
            "USD" => Currency::Usd.into(),
            _ => Currency::Krw.into(),
        },
        category: order.category,
        instrument_name: order.instrument_name,
        ..explained
    }
}

fn wire_contract(contract: ClosedContract) -> wire::ClosedContract {
    wire::ClosedContract {
        account_no: contract.account_no,
        name: contract.name,
        paid_in_won: contract.paid_in_won,
        interest_won: contract.interest_won,
        tax_won: contract.tax_won,
        interest_at_maturity_won: contract.interest_at_maturity_won,
        opened_on: yyyymmdd(contract.opened_on),
        closed_on: yyyymmdd(contract.closed_on),
        matures_on: yyyymmdd(contract.matures_on),
    }
}

fn wire_concentration(concentration: Concentration) -> wire::Concentration {
    wire::Concentration {
        percent: Some(decimal(concentration.percent)),
        value_won: concentration.value_won,
        total_won: concentration.total_won,
        noticed_at_us: micros(concentration.noticed_at),
        instrument_code: concentration.instrument_code,
        instrument_name: concentration.instrument_name,
    }
}

fn wire_kind(kind: CardKind) -> wire::CardKind {
    match kind {
        CardKind::EarlyClose => wire::CardKind::EarlyClose,
        CardKind::Concentration => wire::CardKind::Concentration,
        CardKind::Order(OrderCard::Slippage) => wire::CardKind::Slippage,
        CardKind::Order(OrderCard::Exchange) => wire::CardKind::Exchange,
        CardKind::Order(OrderCard::Waited) => wire::CardKind::Waited,
        CardKind::Order(OrderCard::Partial) => wire::CardKind::Partial,
        CardKind::Order(OrderCard::Tax) => wire::CardKind::Tax,
        CardKind::Order(OrderCard::Fee) => wire::CardKind::Fee,
    }
}
