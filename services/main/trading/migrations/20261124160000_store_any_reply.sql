-- A stored reply belongs to any request for money, not to those about orders alone: what kind of
-- request it was is part of what a repetition must have in common with it. Null: a request that was
-- closed before it arrived, and those of the release before.
alter table request add column kind text;
