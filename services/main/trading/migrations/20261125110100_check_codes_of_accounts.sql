-- Reads the table from end to end, under a lock that lets everybody read and write.
set local statement_timeout = 0;
alter table account validate constraint account_code_check;
