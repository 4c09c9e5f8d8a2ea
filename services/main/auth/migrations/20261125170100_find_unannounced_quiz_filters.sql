-- no-transaction
-- Filters that were chosen before versions existed, until education was told of them.
create index concurrently if not exists quiz_filter_unannounced on quiz_filter (member_id) where version = 0;
