-- Whether those who see its board see what entrants own, in percent and some minutes late.
alter table competition add column shows_holdings boolean not null default false;
