-- no-transaction
call fill_sources_of_journals(5000);
