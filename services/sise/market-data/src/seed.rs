//! The seed: the instruments and products that are part of the release.
//!
//! A seed is a set of embedded CSV files, documented in `seed/README.md`. Everything is validated:
//! a wrong check digit, an invalid price, an unknown code or a duplicate is an error with file and
//! line.

mod company;
mod csv_file;
mod instrument;
mod isin;
mod pronunciations;
mod reference;
mod savings;

use std::collections::{BTreeMap, HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::catalogue::{ForeignCurrency, Instrument, MarketIndex};

pub use company::CompanyOutline;
pub use csv_file::SeedError;
pub use reference::Sector;
pub use savings::{SavingsOption, SavingsProduct};

use csv_file::CsvFile;

/// File names and contents.
#[derive(Clone, Copy, Debug)]
pub struct SeedFiles(&'static [(&'static str, &'static str)]);

macro_rules! files {
    ($folder:literal: $($name:literal)+) => {
        SeedFiles(&[$((
            concat!($folder, "/", $name),
            include_str!(concat!("../seed/", $folder, "/", $name)),
        ),)+])
    };
}

/// Korean and US shares, ETFs, coins, gold and savings products.
pub const MARKET: SeedFiles = files!("market":
    "sectors.csv" "domestic_shares.csv" "us_shares.csv" "etfs.csv" "coins.csv" "commodities.csv"
    "aliases.csv" "spoken.csv" "company_outlines.csv" "indices.csv" "currencies.csv" "savings_products.csv"
    "savings_options.csv"
);

/// The five shares with recorded prices.
pub const REPLAY: SeedFiles = files!("replay": "us_shares.csv" "aliases.csv" "currencies.csv");

/// The validated content of a seed.
#[derive(Clone, Debug)]
pub struct Universe {
    /// In the order of lists.
    pub instruments: Vec<Instrument>,
    pub outlines: Vec<CompanyOutline>,
    /// Sectors of both numberings.
    pub sectors: Vec<Sector>,
    pub indices: Vec<MarketIndex>,
    pub currencies: Vec<ForeignCurrency>,
    pub products: Vec<SavingsProduct>,
    pub options: Vec<SavingsOption>,
    /// Hash of all files.
    pub digest: String,
}

impl SeedFiles {
    /// # Errors
    /// [`SeedError`] with the first invalid file and line.
    pub fn read(self) -> Result<Universe, SeedError> {
        Universe::read(self.0)
    }
}

impl Universe {
    /// Reads files given as name and content; the name determines the type of rows, and a missing
    /// file is empty.
    ///
    /// # Errors
    /// [`SeedError`] with the first invalid file and line.
    pub fn read(files: &[(&str, &str)]) -> Result<Self, SeedError> {
        let sheets = CsvFiles(files);
        let sectors = reference::sectors(&sheets.one("sectors.csv"))?;
        let aliases = reference::aliases(&sheets.one("aliases.csv"))?;
        let pronunciations = pronunciations::read(&sheets.one("spoken.csv"))?;
        let names = instrument::SectorNames::of(&sectors);
        let mut instruments: Vec<Instrument> = Vec::new();
        let mut underlyings = Vec::new();
        let mut seen = HashSet::new();
        for name in instrument::FILES {
            let csv_file = sheets.one(name);
            for (location, record) in csv_file.rows()? {
                let instrument = instrument::check(record, &names).map_err(location.fault())?;
                if !seen.insert(instrument.code.clone()) {
                    let twice = format!("code {} is listed twice", instrument.code);
                    return Err(location.fault()(twice));
                }
                if let Some(underlying) = &instrument.dynamics.underlying {
                    underlyings.push((location, underlying.clone()));
                }
                instruments.push(instrument);
            }
        }
        for (location, underlying) in underlyings {
            if let Some(code) = underlying.strip_prefix("STOCK:")
                && !seen.contains(code)
            {
                return Err(location.fault()(format!(
                    "underlying {code} is not an instrument"
                )));
            }
        }
        add_aliases(&mut instruments, aliases)?;
        pronunciations::add(&mut instruments, &pronunciations);
        let products = savings::products(&sheets.one("savings_products.csv"))?;
        Ok(Self {
            outlines: company::read(&sheets.one("company_outlines.csv"), &seen)?,
            indices: reference::indices(&sheets.one("indices.csv"))?,
            currencies: reference::currencies(&sheets.one("currencies.csv"))?,
            options: savings::options(&sheets.one("savings_options.csv"), &products)?,
            digest: digest(files),
            instruments,
            sectors,
            products,
        })
    }
}

struct CsvFiles<'a>(&'a [(&'a str, &'a str)]);

impl CsvFiles<'_> {
    fn one<'s>(&'s self, name: &'s str) -> CsvFile<'s> {
        let found = self
            .0
            .iter()
            .find(|(path, _)| path.rsplit('/').next() == Some(name));
        match found {
            Some((path, text)) => CsvFile::new(path, text),
            None => CsvFile::new(name, ""),
        }
    }
}

fn add_aliases(
    instruments: &mut [Instrument],
    aliases: Vec<(csv_file::RowLocation, String, String)>,
) -> Result<(), SeedError> {
    let mut positions = HashMap::new();
    for (position, instrument) in instruments.iter().enumerate() {
        positions.insert(instrument.code.clone(), position);
    }
    for (location, code, alias) in aliases {
        let position = positions.get(&code);
        let instrument = position.and_then(|position| instruments.get_mut(*position));
        match instrument {
            Some(instrument) => instrument.aliases.push(alias),
            None => {
                return Err(location.fault()(format!(
                    "code {code} is not an instrument"
                )));
            }
        }
    }
    Ok(())
}

fn digest(files: &[(&str, &str)]) -> String {
    let ordered: BTreeMap<&str, &str> = files.iter().copied().collect();
    let mut hash = Sha256::new();
    for (name, text) in ordered {
        hash.update(name);
        hash.update([0]);
        hash.update(text);
        hash.update([0]);
    }
    hex::encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use kernel::{MarketCode, Price};
    use rust_decimal_macros::dec;

    use super::*;

    fn count(universe: &Universe, holds: impl Fn(&Instrument) -> bool) -> usize {
        universe.instruments.iter().filter(|row| holds(row)).count()
    }

    #[test]
    fn the_market_seed_is_valid() {
        let universe = MARKET.read().unwrap();
        let of = |market| count(&universe, |row| row.market == market);
        assert_eq!(of(MarketCode::Kospi) + of(MarketCode::Kosdaq), 223);
        assert_eq!(of(MarketCode::Global), 133);
        assert_eq!(of(MarketCode::Etf), 48);
        assert_eq!(of(MarketCode::Coin), 70);
        assert_eq!(of(MarketCode::Gold), 9);
        assert_eq!(count(&universe, |row| !row.tradable), 7);
        assert_eq!(universe.outlines.len(), 223);
        assert_eq!((universe.products.len(), universe.options.len()), (56, 186));
        assert_eq!((universe.indices.len(), universe.currencies.len()), (5, 4));
        assert_eq!(universe.sectors.len(), 490 + 165);
        let samsung = &universe.instruments[0];
        assert_eq!(samsung.code, "005930");
        assert_eq!(samsung.sector_name.as_deref(), Some("전기·전자"));
        assert!(samsung.aliases.contains(&"삼전".to_owned()));
        assert_eq!(
            count(&universe, |row| row.market == MarketCode::Etf
                && row.sector_code.is_some()),
            0
        );
        for (code, tick) in [
            ("NG", dec!(0.001)),
            ("HG", dec!(0.0005)),
            ("WTI", dec!(0.01)),
        ] {
            let row = universe
                .instruments
                .iter()
                .find(|row| row.code == code)
                .unwrap();
            assert_eq!(row.tick_table.tick_at(row.base_price), tick);
        }
    }

    #[test]
    fn the_replay_universe_is_five_shares_in_ten_thousandths() {
        let universe = REPLAY.read().unwrap();
        let codes: Vec<&str> = universe
            .instruments
            .iter()
            .map(|row| row.code.as_str())
            .collect();
        assert_eq!(codes, ["AAPL", "FB", "GOOG", "IBM", "MSFT"]);
        for row in &universe.instruments {
            assert!(row.tick_table.is_on_tick(Price(dec!(38.2318))));
            assert_eq!(row.exchange, "REPLAY");
        }
    }

    const SHARES: &str = "code,korean_name,market,exchange,currency,tick_class,unit,base_price,\
        daily_volatility,isin,sector_code\n";
    const SECTORS: &str = "numbering,code,market,korean_name\nKIS,0013,KOSPI,전기·전자\n";

    fn read_shares(rows: &str) -> Result<Universe, SeedError> {
        let shares = format!("{SHARES}{rows}");
        Universe::read(&[
            ("market/sectors.csv", SECTORS),
            ("market/domestic_shares.csv", &shares),
        ])
    }

    #[test]
    fn a_wrong_row_is_named_by_file_and_line() {
        let good = "005930,삼성전자,KOSPI,KRX,KRW,KRX_STOCK,주,259000,0.0197,KR7005930003,0013\n";
        assert_eq!(read_shares(good).unwrap().instruments.len(), 1);
        for (row, fault) in [
            (
                good.replace("259000", "259100"),
                "base_price 259100 is off the tick: 259000 and 259500 are valid",
            ),
            (
                good.replace("KR7005930003", "KR7005930004"),
                "isin KR7005930004 has a wrong check digit",
            ),
            (
                good.replace("KR7005930003", "KR70059300"),
                "isin KR70059300 is not two letters, nine characters and a digit",
            ),
            (
                good.replace(",0013", ",0777"),
                "unknown sector_code \"0777\"",
            ),
            (good.replace("KOSPI", "KOSPY"), "unknown market \"KOSPY\""),
            (
                good.replace("KRX_STOCK", "KRX_STOCKS"),
                "unknown tick_class \"KRX_STOCKS\"",
            ),
            (
                good.replace("KRX,KRW", "NYSE,KRW"),
                "exchange NYSE does not list KOSPI",
            ),
            (good.replace("KRW,", "EUR,"), "unknown currency \"EUR\""),
            (good.replace("삼성전자", ""), "korean_name is blank"),
            (good.replace("259000", "0"), "base_price must be above zero"),
            (
                good.replace("0.0197", "1.97"),
                "daily_volatility must be between 0 and 1",
            ),
            (good.to_owned(), "code 005930 is listed twice"),
            (
                good.replace("259000", "abc"),
                "string \"abc\", expected a Decimal",
            ),
            ("005930,삼성전자\n".to_owned(), "found record with 2 fields"),
        ] {
            let error = read_shares(&format!("{good}{row}"))
                .unwrap_err()
                .to_string();
            let location = "market/domestic_shares.csv:3: ";
            assert!(
                error.starts_with(location) && error.contains(fault),
                "{error} / {fault}"
            );
        }
    }

    #[test]
    fn a_blank_or_zero_sector_is_none() {
        let row = "005930,삼성전자,KOSPI,KRX,KRW,KRX_STOCK,주,259000,0.0197,,";
        for sector in ["", "0000"] {
            let universe = read_shares(&format!("{row}{sector}\n")).unwrap();
            assert_eq!(universe.instruments[0].sector_code, None);
            assert_eq!(universe.instruments[0].isin, None);
        }
    }

    #[test]
    fn an_alias_or_outline_of_an_unknown_code_is_refused() {
        for (file, text) in [
            ("market/aliases.csv", "code,alias\n999999,없는것\n"),
            ("market/aliases.csv", "code,alias\n999999,\n"),
            ("market/spoken.csv", "written,spoken\nKODEX,\n"),
            ("market/spoken.csv", "written,spoken\n코덱스,코덱스\n"),
            (
                "market/savings_options.csv",
                "product_id,term_months,interest_type,reserve_type,rate,best_rate\n1,12,S,,3,3\n",
            ),
            (
                "market/indices.csv",
                "code,korean_name,base_value,daily_volatility\nSPX,S&P 500,,0.0105\n",
            ),
        ] {
            let error = Universe::read(&[(file, text)]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{file}:2: ")), "{error}");
        }
    }

    #[test]
    fn an_unknown_column_is_refused() {
        let error = Universe::read(&[("market/aliases.csv", "code,allias\n1,2\n")]).unwrap_err();
        assert!(error.to_string().contains("allias"), "{error}");
    }
}
