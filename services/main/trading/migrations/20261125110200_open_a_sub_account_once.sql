-- no-transaction
-- A member has at most one open account for stocks, coins, CMA and commodities each.
-- compatible: the release before opens no such account.
create unique index concurrently account_one_sub_account on account (member_id, code)
    where code in ('01', '02', '05', '06') and closed_at is null;
