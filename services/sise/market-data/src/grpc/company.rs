use chrono::NaiveDate;
use kernel::MarketCode;
use proto::market::v1 as wire;
use rust_decimal::{Decimal, RoundingStrategy};

use super::Market;
use crate::catalogue::Instrument;
use crate::error::MarketError;
use crate::seed::CompanyOutline;

impl Market {
    pub(super) async fn company_outline(
        &self,
        code: &str,
    ) -> Result<wire::CompanyOutline, MarketError> {
        let Some(instrument) = self.catalogue.get(code) else {
            return Err(MarketError::InstrumentNotFound {
                code: code.to_owned(),
            });
        };
        if !is_company(instrument.market) {
            return Err(MarketError::OutlineNotFound {
                code: code.to_owned(),
            });
        }
        let known = from_catalogue(instrument);
        let mut outline = match self.store.company_outline(code).await? {
            Some(outline) => published(outline, known),
            None => known,
        };
        outline.listed_shares = self.board.in_todays_shares(code, outline.listed_shares);
        outline.eps = self.per_todays_share(code, outline.eps);
        outline.bps = self.per_todays_share(code, outline.bps);
        Ok(outline)
    }

    /// Converts a published amount per share to today's shares, rounded to 0.1 won. Text that is
    /// not a number is returned as it is.
    fn per_todays_share(&self, code: &str, published: String) -> String {
        match published.parse::<Decimal>() {
            Ok(amount) => {
                let todays = self.board.per_todays_share(code, amount);
                format!(
                    "{:.1}",
                    todays.round_dp_with_strategy(1, RoundingStrategy::MidpointAwayFromZero)
                )
            }
            Err(_) => published,
        }
    }
}

fn is_company(market: MarketCode) -> bool {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Global => true,
        MarketCode::Coin | MarketCode::Gold | MarketCode::Etf => false,
    }
}

/// The part of the outline that the catalogue has; for US companies nothing else is published.
fn from_catalogue(instrument: &Instrument) -> wire::CompanyOutline {
    wire::CompanyOutline {
        code: instrument.code.clone(),
        korean_name: instrument.korean_name.clone(),
        english_name: instrument.english_name.clone(),
        industry: instrument.sector_name.clone().unwrap_or_default(),
        listed_on: yyyymmdd(instrument.listed_on),
        listed_shares: instrument.listed_shares.unwrap_or(0),
        ..wire::CompanyOutline::default()
    }
}

fn published(outline: CompanyOutline, known: wire::CompanyOutline) -> wire::CompanyOutline {
    let industry = Some(outline.industry).filter(|industry| !industry.is_empty());
    wire::CompanyOutline {
        industry: industry.unwrap_or(known.industry),
        products: outline.products,
        representative: outline.representative,
        established_on: yyyymmdd(outline.established_on),
        listed_on: yyyymmdd(outline.listed_on),
        settlement_month: outline.settlement_month,
        homepage: outline.homepage,
        address: outline.address,
        region: outline.region,
        per: outline.per,
        pbr: outline.pbr,
        eps: outline.eps,
        bps: outline.bps,
        roe: outline.roe,
        listed_shares: outline.listed_shares.unwrap_or(known.listed_shares),
        market_cap_eok: outline.market_cap_eok.unwrap_or(0),
        sales_eok: outline.sales_eok.unwrap_or(0),
        operating_profit_eok: outline.operating_profit_eok.unwrap_or(0),
        code: known.code,
        korean_name: known.korean_name,
        english_name: known.english_name,
    }
}

fn yyyymmdd(day: Option<NaiveDate>) -> String {
    day.map(|day| day.format("%Y%m%d").to_string())
        .unwrap_or_default()
}
