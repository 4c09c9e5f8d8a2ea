-- no-transaction
create index concurrently if not exists item_opening_of_member on item_opening (member_id);
