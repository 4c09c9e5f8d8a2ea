-- The running service may add history and read it, never change it.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on journal, entry, fill, order_event, holding_split
            from seedup_trading_app;
    end if;
end
$$;

create trigger fill_is_append_only before update or delete or truncate on fill
    for each statement execute function refuse_change_of_history();
create trigger order_event_is_append_only before update or delete or truncate on order_event
    for each statement execute function refuse_change_of_history();
create trigger holding_split_is_append_only before update or delete or truncate on holding_split
    for each statement execute function refuse_change_of_history();
