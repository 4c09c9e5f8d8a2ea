-- What comments say since they were edited, also where the event that told of one comes later.
create table edited_notice (
    -- The key of notices.
    dedupe_key text primary key,
    -- Where they lead.
    link text not null,
    body text not null,
    -- Of the comment's text; an older one does not replace it.
    version integer not null,
    edited_at timestamptz not null
);
create index edited_notice_by_link on edited_notice (link);
create index edited_notice_by_time on edited_notice (edited_at);
