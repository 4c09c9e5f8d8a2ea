-- Fills are heard of late: one from before a division is counted in the shares after it.
alter table instrument_split add column at timestamptz;
