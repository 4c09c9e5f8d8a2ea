-- Orders the events of a member's filter. A constant default rewrites nothing.
alter table quiz_filter add column version bigint not null default 0;
