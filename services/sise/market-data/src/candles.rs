//! History: minute and daily candles, written from the tick log and read in five periods.
