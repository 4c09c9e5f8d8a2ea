-- A refusal counts only if nobody has asked for the payment again since: the later attempt may be paid.
alter table streak_repair add column attempts integer not null default 1;
