//! Cards from a member's own trades.

use kernel::MemberId;
use proto::common::v1::Currency;
use proto::convert::{decimal, micros};
use proto::education::v1 as wire;
use proto::education::v1::card_service_server::CardService;
use tonic::{Request, Response, Status};

use super::{Service, term};
use crate::domain::trade_cards::CardKind;
use crate::error::StudyError;
use crate::store::TradeCard;

#[tonic::async_trait]
impl CardService for Service {
    async fn list_trade_cards(
        &self,
        request: Request<wire::ListTradeCardsRequest>,
    ) -> Result<Response<wire::TradeCards>, Status> {
        let request = request.into_inner();
        let order = match request.order_id {
            0 => None,
            id if id > 0 => Some(id),
            _ => return Err(StudyError::Malformed.into()),
        };
        let member = MemberId(request.member_id);
        let cards = self.store.trade_cards(member, order).await?;
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
    ) -> Result<Response<wire::QuizSet>, Status> {
        let request = request.into_inner();
        let kind = match request.kind() {
            wire::CardKind::Slippage => CardKind::Slippage,
            wire::CardKind::Exchange => CardKind::Exchange,
            wire::CardKind::Waited => CardKind::Waited,
            wire::CardKind::Partial => CardKind::Partial,
            wire::CardKind::Tax => CardKind::Tax,
            wire::CardKind::Fee => CardKind::Fee,
            wire::CardKind::Unspecified => return Err(StudyError::Malformed.into()),
        };
        let member = MemberId(request.member_id);
        let set = self
            .store
            .open_card_quiz(member, request.order_id, kind)
            .await?;
        Ok(Response::new(self.set(&set)))
    }
}

impl Service {
    fn trade_card(&self, card: TradeCard) -> wire::TradeCard {
        let TradeCard {
            kind,
            order,
            is_due,
        } = card;
        let lesson = kind.lesson();
        let library = self.library();
        let article = library
            .reading(lesson.article)
            .map(|reading| &reading.article);
        let term_of = |word| library.term(word).map(|found| term(library, found));
        wire::TradeCard {
            kind: wire_kind(kind).into(),
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
            term: lesson.term.and_then(term_of),
            article_id: lesson.article.to_owned(),
            article_title: article.map_or_else(String::new, |article| article.title.clone()),
            article_summary: article.map_or_else(String::new, |article| article.summary.clone()),
            is_due,
        }
    }
}

fn wire_kind(kind: CardKind) -> wire::CardKind {
    match kind {
        CardKind::Slippage => wire::CardKind::Slippage,
        CardKind::Exchange => wire::CardKind::Exchange,
        CardKind::Waited => wire::CardKind::Waited,
        CardKind::Partial => wire::CardKind::Partial,
        CardKind::Tax => wire::CardKind::Tax,
        CardKind::Fee => wire::CardKind::Fee,
    }
}
