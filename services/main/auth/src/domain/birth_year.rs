use chrono::{Datelike, NaiveDate};

const EARLIEST: i32 = 1900;

/// From 1900 to the current year in Korea.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BirthYear(i16);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBirthYear;

impl BirthYear {
    /// `today` is the date in Korea.
    ///
    /// # Errors
    /// [`InvalidBirthYear`] outside 1900 to this year.
    pub fn parse(year: i32, today: NaiveDate) -> Result<Self, InvalidBirthYear> {
        if !(EARLIEST..=today.year()).contains(&year) {
            return Err(InvalidBirthYear);
        }
        i16::try_from(year)
            .map(Self)
            .map_err(|_too_large| InvalidBirthYear)
    }

    #[must_use]
    pub fn get(self) -> i16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_from_1900_to_this_one_are_believed() {
        let today = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();
        for year in [1900, 1990, 2026] {
            assert_eq!(
                i32::from(BirthYear::parse(year, today).unwrap().get()),
                year
            );
        }
        for year in [1899, 2027, 0, -1990, i32::MIN, i32::MAX] {
            assert_eq!(
                BirthYear::parse(year, today),
                Err(InvalidBirthYear),
                "{year}"
            );
        }
    }
}
