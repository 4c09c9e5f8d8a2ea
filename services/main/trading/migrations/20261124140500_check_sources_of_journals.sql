-- Reads both tables from end to end, under a lock that lets everybody read and write.
set local statement_timeout = 0;
alter table journal
    validate constraint journal_has_source,
    validate constraint journal_kind_known;
alter table entry validate constraint entry_asset_check;
