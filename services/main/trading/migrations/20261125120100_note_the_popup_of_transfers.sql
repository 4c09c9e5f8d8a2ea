-- Whether the member has seen what is explained before the first transfer; on the BASIC account.
alter table account add column transfer_popup_seen boolean not null default false;
