-- What is forgotten after a time is found by it. A BRIN index says nothing any more once new rows
-- have taken the place of deleted ones. The tables may be large, and this takes its time.
set local statement_timeout = 0;
create index request_by_time on request (created_at);
-- contract: request_by_time takes its place.
drop index request_by_age;
create index inbox_by_time on inbox (received_at);
