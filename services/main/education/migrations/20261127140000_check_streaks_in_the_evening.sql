-- The last day on which an evening looked at the member's streak.
alter table student add column risk_checked_on date not null default '-infinity';
