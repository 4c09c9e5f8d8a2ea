//! Deposits and savings plans over gRPC.

use std::sync::Arc;

use bootstrap::grpc::Reply;
use bootstrap::problem;
use chrono::TimeDelta;
use kernel::clock::KST;
use kernel::{AccountCode, Won};
use market_rules::interest::{Compounding, INSURED, Month, TAX_PERCENT};
use proto::convert::{InvalidField, decimal, micros};
use proto::market::v1 as wire;
use proto::market::v1::product_service_server::ProductService;
use rust_decimal::Decimal;
use tonic::{Request, Response, Status};

use super::Market;
use crate::error::MarketError;
use crate::savings::{self, InterestQuery, Offer, SortOrder};
use crate::seed::SavingsOption;

/// Rate changes within this time are listed.
const RATE_CHANGE_WINDOW: TimeDelta = TimeDelta::days(7);
/// A caller with more of them asks again.
const MOST_QUOTES: usize = 500;

#[tonic::async_trait]
impl ProductService for Market {
    async fn list_products(
        &self,
        request: Request<wire::ListProductsRequest>,
    ) -> Reply<wire::Products> {
        let request = request.into_inner();
        let order = match request.sort() {
            wire::ProductSort::Unspecified | wire::ProductSort::Popular => SortOrder::Popular,
            wire::ProductSort::Rate => SortOrder::Rate,
            wire::ProductSort::Name => SortOrder::Name,
            wire::ProductSort::Bank => SortOrder::Bank,
        };
        let kind = match request.kind() {
            wire::ProductKind::Unspecified => None,
            wire::ProductKind::Deposit => Some(AccountCode::Deposit.as_str()),
            wire::ProductKind::Savings => Some(AccountCode::Save.as_str()),
        };
        let offers = self.savings.list(order, kind, &self.store).await;
        Ok(Response::new(wire::Products {
            products: offers.iter().map(|offer| to_wire(offer)).collect(),
        }))
    }

    async fn search_products(
        &self,
        request: Request<wire::SearchProductsRequest>,
    ) -> Reply<wire::ProductPage> {
        let request = request.into_inner();
        let found = self
            .savings
            .find(&request.text, request.page, &self.store)
            .await;
        Ok(Response::new(wire::ProductPage {
            products: found.items.iter().map(|offer| to_wire(offer)).collect(),
            page: found.page,
            total: i64::try_from(found.total).unwrap_or(i64::MAX),
        }))
    }

    async fn get_product(
        &self,
        request: Request<wire::GetProductRequest>,
    ) -> Reply<wire::ProductDetail> {
        let offer = self.offer(request.into_inner().product_id)?;
        Ok(Response::new(wire::ProductDetail {
            product: Some(to_wire(offer)),
            options: offer.options.iter().map(option_to_wire).collect(),
            deposit_insurance_won: INSURED.0,
            tax_rate: Some(decimal(TAX_PERCENT)),
        }))
    }

    async fn quote_interest(
        &self,
        request: Request<wire::QuoteInterestRequest>,
    ) -> Reply<wire::InterestQuote> {
        Ok(Response::new(self.quoted(&request.into_inner())?))
    }

    async fn quote_interests(
        &self,
        request: Request<wire::QuoteInterestsRequest>,
    ) -> Reply<wire::InterestQuotes> {
        let requests = request.into_inner().requests;
        if requests.len() > MOST_QUOTES {
            return Err(InvalidField("requests").into());
        }
        let quoted = requests.iter().map(|request| match self.quoted(request) {
            Ok(quote) => wire::QuotedInterest {
                quote: Some(wire::InterestQuote {
                    schedule: Vec::new(),
                    ..quote
                }),
                refusal: None,
            },
            Err(error) => wire::QuotedInterest {
                quote: None,
                refusal: problem::of(&error.into()),
            },
        });
        Ok(Response::new(wire::InterestQuotes {
            quotes: quoted.collect(),
        }))
    }

    async fn get_product_trend(
        &self,
        _request: Request<wire::GetProductTrendRequest>,
    ) -> Reply<wire::ProductTrend> {
        let trend = self.trends.products(self.product_trend()).await;
        let trend = trend.map_err(|error| {
            tracing::warn!(%error, "Rate changes could not be read");
            Status::unavailable("database")
        })?;
        Ok(Response::new(wire::ProductTrend::clone(&trend)))
    }
}

impl Market {
    fn quoted(
        &self,
        request: &wire::QuoteInterestRequest,
    ) -> Result<wire::InterestQuote, MarketError> {
        let offer = self.offer(request.product_id)?;
        let wish = InterestQuery {
            amount: Won(request.amount_won),
            months: Some(request.term_months).filter(|months| *months != 0),
            compounding: match request.interest_type() {
                wire::InterestType::Unspecified => None,
                wire::InterestType::Simple => Some(Compounding::Simple),
                wire::InterestType::Compound => Some(Compounding::Monthly),
            },
            reserve: match request.reserve_type() {
                wire::ReserveType::Unspecified => None,
                wire::ReserveType::Fixed => Some("S"),
                wire::ReserveType::Free => Some("F"),
            },
            best: request.best,
            opened_on: self.clock.now().with_timezone(&KST).date_naive(),
        };
        let quote = savings::quote(offer, wish)?;
        let (terms, maturity) = (&quote.terms, &quote.maturity);
        let number = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let month = |month: &Month| wire::InterestMonth {
            month: number(month.number),
            paid_won: month.paid.0,
            interest_won: month.interest.0,
        };
        let tax = maturity
            .tax
            .total()
            .map_err(|error| MarketError::Internal(error.to_string()))?;
        Ok(wire::InterestQuote {
            principal_won: maturity.principal.0,
            interest_won: maturity.interest.0,
            tax_won: tax.0,
            after_tax_won: maturity.after_tax.0,
            payout_won: maturity.payout.0,
            applied_rate: Some(decimal(terms.annual_percent)),
            term_months: number(terms.months),
            interest_type: interest_type(terms.compounding).into(),
            schedule: quote.schedule.iter().map(month).collect(),
            product: Some(to_wire(offer)),
            reserve_type: reserve_type(&quote.reserve).into(),
            base_rate: Some(decimal(quote.base_percent)),
        })
    }

    pub(super) fn offer(&self, product_id: i64) -> Result<&Arc<Offer>, MarketError> {
        let offer = self.savings.get(product_id);
        offer.ok_or(MarketError::ProductNotFound { product_id })
    }

    async fn product_trend(&self) -> Result<wire::ProductTrend, MarketError> {
        let now = self.clock.now();
        let averages = savings::averages(self.savings.offers());
        let averages = averages.into_iter().map(|average| wire::RateAverage {
            kind: kind(average.kind).into(),
            term_months: average.term_months,
            average: Some(decimal(average.average)),
            best: Some(decimal(average.best)),
            count: i32::try_from(average.count).unwrap_or(i32::MAX),
        });
        let changes = self.store.rate_changes(now - RATE_CHANGE_WINDOW).await?;
        let movers = changes.iter().filter_map(|change| {
            let offer = self.savings.get(change.product_id)?;
            Some(wire::RateMove {
                product: Some(to_wire(offer)),
                before: Some(decimal(change.rate_before)),
                after: Some(decimal(change.rate_after)),
            })
        });
        Ok(wire::ProductTrend {
            averages: averages.collect(),
            movers: movers.collect(),
            as_of_us: micros(now),
        })
    }
}

pub(super) fn to_wire(offer: &Offer) -> wire::Product {
    let product = &offer.product;
    let interest = if product.interest_type == "02" {
        wire::InterestType::Compound
    } else {
        wire::InterestType::Simple
    };
    wire::Product {
        product_id: product.id,
        name: product.korean_name.clone(),
        kind: kind(&product.kind).into(),
        bank_code: product.bank_code.clone(),
        bank_name: product.bank_name.clone(),
        interest_type: interest.into(),
        reserve_type: reserve_type(&product.reserve_type).into(),
        term_months: product.term_months,
        base_rate: Some(decimal(product.base_rate)),
        best_rate: Some(decimal(product.best_rate)),
        least_amount_won: product.least_amount_won.unwrap_or(0),
        most_amount_won: product.most_amount_won.unwrap_or(0),
        conditions: product.conditions.clone(),
        disclosed_month: product.disclosed_month.clone(),
    }
}

fn option_to_wire(option: &SavingsOption) -> wire::ProductOption {
    let rate = |rate: Option<Decimal>| rate.map(decimal);
    wire::ProductOption {
        term_months: option.term_months,
        interest_type: interest_type(savings::compounding(option)).into(),
        reserve_type: reserve_type(&option.reserve_type).into(),
        base_rate: rate(option.rate),
        best_rate: rate(option.best_rate),
    }
}

fn kind(code: &str) -> wire::ProductKind {
    if code == AccountCode::Deposit.as_str() {
        wire::ProductKind::Deposit
    } else {
        wire::ProductKind::Savings
    }
}

fn interest_type(compounding: Compounding) -> wire::InterestType {
    match compounding {
        Compounding::Simple => wire::InterestType::Simple,
        Compounding::Monthly => wire::InterestType::Compound,
    }
}

fn reserve_type(code: &str) -> wire::ReserveType {
    match code {
        "S" => wire::ReserveType::Fixed,
        "F" => wire::ReserveType::Free,
        _ => wire::ReserveType::Unspecified,
    }
}
