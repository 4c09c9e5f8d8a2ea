-- The numbers of journals tell their season (`past_season.last_journal`). What the release before posts
-- after a reset names none, so a column of its own would be wrong for ever.
-- compatible: the release before names it in every journal.
alter table journal alter column season drop not null, alter column season drop default;
