-- compatible: one asset more.
alter table entry drop constraint entry_asset_check,
    add constraint entry_asset_check check (asset in ('KRW', 'USD', 'EP', 'CASH')) not valid;
