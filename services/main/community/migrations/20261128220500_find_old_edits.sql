-- no-transaction
create index concurrently if not exists text_edit_by_last on text_edit ((edit_times[1]));
