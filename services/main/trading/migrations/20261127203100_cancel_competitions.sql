-- Why an operator canceled an event, and when by the clock of the process.
alter table competition
    add column canceled_at timestamptz,
    add column cancel_reason text;
