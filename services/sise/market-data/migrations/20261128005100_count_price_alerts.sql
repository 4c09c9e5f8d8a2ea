-- How many alerts wait: all of them are held in memory, so their number is bounded. Triggers count, so
-- that a process of the release before counts too.
create table price_alert_total (
    only_row boolean primary key default true check (only_row),
    active bigint not null
);

create function count_price_alerts() returns trigger language plpgsql as $$
declare
    change bigint;
begin
    if tg_op = 'INSERT' then
        select count(*) into change from changed where fired_at is null;
    elsif tg_op = 'DELETE' then
        select -count(*) into change from removed where fired_at is null;
    else
        select (select count(*) from changed where fired_at is null)
            - (select count(*) from removed where fired_at is null) into change;
    end if;
    if change <> 0 then
        update price_alert_total set active = active + change;
    end if;
    return null;
end
$$;

-- compatible: it writes to a table that the release before does not know.
create trigger price_alert_created after insert on price_alert
    referencing new table as changed for each statement execute function count_price_alerts();
-- compatible: it writes to a table that the release before does not know.
create trigger price_alert_deleted after delete on price_alert
    referencing old table as removed for each statement execute function count_price_alerts();
-- compatible: it writes to a table that the release before does not know.
create trigger price_alert_changed after update on price_alert
    referencing old table as removed new table as changed
    for each statement execute function count_price_alerts();

-- Nobody changes alerts between the triggers and the end of this transaction.
insert into price_alert_total (active)
select count(*) from price_alert where fired_at is null;
