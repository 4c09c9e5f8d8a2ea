//! What a bank offers for an amount and a term, as market-data says.

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use bootstrap::problem;
use kernel::Won;
use market_rules::contract::FREE_MONTHLY_CAP;
use market_rules::interest::Compounding;
use proto::common::v1::Problem;
use proto::convert::{InvalidField, to_required_decimal};
use proto::market::v1::product_service_client::ProductServiceClient;
use proto::market::v1::{self as market, InterestType, ProductKind, ReserveType};
use rust_decimal::Decimal;

use super::ContractKind;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;

const CALL_TIMEOUT: Duration = Duration::from_secs(2);

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferQuery {
    pub product_id: i64,
    pub amount: Won,
    /// 0 = the usual term.
    pub term_months: i32,
    /// Unspecified = as the product has it.
    pub reserve: ReserveType,
    pub preferential: bool,
}

/// The terms at which a contract can be opened now.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractOffer {
    pub product_id: i64,
    pub name: String,
    pub bank_code: String,
    pub bank_name: String,
    pub kind: ContractKind,
    pub compounding: Compounding,
    /// Percent a year, without preference and as agreed.
    pub base_rate: Decimal,
    pub rate: Decimal,
    pub amount: Won,
    pub term_months: i16,
    /// Free plans alone have one.
    pub monthly_cap: Option<Won>,
    pub preferential: bool,
}

/// Why there is no offer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OfferError {
    /// The product does not allow it.
    #[error(transparent)]
    Refused(Refusal),
    /// Market-data is away, or says something that cannot be read.
    #[error("market-data does not answer")]
    Unavailable,
}

impl From<OfferError> for TradingError {
    fn from(error: OfferError) -> Self {
        match error {
            OfferError::Refused(refusal) => refusal.into(),
            OfferError::Unavailable => OrderRejection::PriceAwaited.into(),
        }
    }
}

/// The products of market-data.
#[derive(Clone)]
pub struct Products {
    client: ProductServiceClient<Client>,
}

impl Products {
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self {
            client: ProductServiceClient::new(client),
        }
    }

    /// Market-data checks amount and term, and chooses among the options of the product.
    ///
    /// # Errors
    /// [`OfferError`]: PRODUCT_NOT_FOUND, INVALID_AMOUNT, TERM_NOT_OFFERED, or no answer.
    pub async fn offer(&self, query: &OfferQuery) -> Result<ContractOffer, OfferError> {
        let mut client = self.client.clone();
        let within = Deadline::within(CALL_TIMEOUT);
        let quote = deadline::scope(within, client.quote_interest(query.request())).await;
        let quote = quote.map_err(|status| {
            let problem = problem::of(&status);
            problem.map_or(OfferError::Unavailable, |problem| refused(&problem))
        })?;
        readable(quote.into_inner(), query)
    }

    /// As [`Products::offer`] for each of at most 500, in one call.
    ///
    /// # Errors
    /// [`OfferError::Unavailable`]: no answer to any.
    pub async fn offers(
        &self,
        queries: &[OfferQuery],
    ) -> Result<Vec<Result<ContractOffer, OfferError>>, OfferError> {
        let request = market::QuoteInterestsRequest {
            requests: queries.iter().map(OfferQuery::request).collect(),
        };
        let mut client = self.client.clone();
        let within = Deadline::within(CALL_TIMEOUT);
        let quotes = deadline::scope(within, client.quote_interests(request)).await;
        let quotes = quotes.map_err(|_status| OfferError::Unavailable)?;
        let quotes = quotes.into_inner().quotes;
        if quotes.len() != queries.len() {
            return Err(OfferError::Unavailable);
        }
        let offers = quotes.into_iter().zip(queries).map(|(one, query)| {
            let refusal = one.refusal.as_ref();
            let quote = one
                .quote
                .ok_or_else(|| refusal.map_or(OfferError::Unavailable, refused))?;
            readable(quote, query)
        });
        Ok(offers.collect())
    }
}

impl OfferQuery {
    fn request(&self) -> market::QuoteInterestRequest {
        market::QuoteInterestRequest {
            product_id: self.product_id,
            amount_won: self.amount.0,
            term_months: self.term_months,
            interest_type: InterestType::Unspecified.into(),
            reserve_type: self.reserve.into(),
            best: self.preferential,
        }
    }
}

fn readable(quote: market::InterestQuote, query: &OfferQuery) -> Result<ContractOffer, OfferError> {
    offer(quote, query).map_err(|error| {
        tracing::error!(%error, "Invalid offer of market-data");
        OfferError::Unavailable
    })
}

fn offer(quote: market::InterestQuote, query: &OfferQuery) -> Result<ContractOffer, InvalidField> {
    let product = quote.product.clone().ok_or(InvalidField("product"))?;
    let kind = match (product.kind(), quote.reserve_type()) {
        (ProductKind::Unspecified, _) => return Err(InvalidField("kind")),
        (ProductKind::Deposit, _) => ContractKind::Deposit,
        (ProductKind::Savings, ReserveType::Free) => ContractKind::Free,
        (ProductKind::Savings, _) => ContractKind::Savings,
    };
    let base_rate = to_required_decimal(quote.base_rate.as_ref(), "base_rate")?;
    let rate = to_required_decimal(quote.applied_rate.as_ref(), "applied_rate")?;
    let cap = match product.most_amount_won {
        ..=0 => FREE_MONTHLY_CAP,
        most => Won(most),
    };
    Ok(ContractOffer {
        product_id: product.product_id,
        name: product.name,
        bank_code: product.bank_code,
        bank_name: product.bank_name,
        kind,
        compounding: match quote.interest_type {
            kind if kind == i32::from(InterestType::Compound) => Compounding::Monthly,
            _ => Compounding::Simple,
        },
        base_rate,
        // A preference never costs anything.
        rate: rate.max(base_rate),
        amount: query.amount,
        term_months: i16::try_from(quote.term_months)
            .map_err(|_beyond| InvalidField("term_months"))?,
        monthly_cap: (kind == ContractKind::Free).then_some(cap),
        preferential: query.preferential,
    })
}

/// A refusal of market-data, or that it cannot say.
fn refused(problem: &Problem) -> OfferError {
    let message = problem.message.as_str();
    let refusal = match problem.reason.as_str() {
        "PRODUCT_NOT_FOUND" => Refusal::not_found("PRODUCT_NOT_FOUND", message),
        "TERM_NOT_OFFERED" => Refusal::new("TERM_NOT_OFFERED", message),
        "INVALID_AMOUNT" => Refusal::new("INVALID_AMOUNT", message),
        _ => return OfferError::Unavailable,
    };
    let facts = ["least", "most", "offered"].into_iter();
    OfferError::Refused(
        facts.fold(refusal, |refusal, name| match problem.facts.get(name) {
            Some(value) => refusal.with(name, value),
            None => refusal,
        }),
    )
}
