-- When that happened of which a push tells; none where an earlier release queued it.
alter table push_delivery add column occurred_at timestamptz;
