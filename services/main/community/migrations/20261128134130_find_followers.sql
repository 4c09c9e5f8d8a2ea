-- no-transaction
create index concurrently if not exists follow_by_other on follow (other_id);
