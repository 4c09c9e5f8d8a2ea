-- By market time: when a claim to a dividend was paid or lapsed. Null of what ended in a release before.
alter table dividend_share add column settled_at timestamptz;
