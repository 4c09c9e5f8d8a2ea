-- tick_seq of the trade at the close; null for minutes that were made without ticks.
alter table candle_minute add column close_seq bigint;
