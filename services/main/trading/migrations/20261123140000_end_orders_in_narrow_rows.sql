-- A close ends hundreds of thousands of orders at once, of which nothing changes but their state.
-- Writing them as wide rows, read three times from the document, took most of its time. The same
-- document as write_trading and write_waiting; `ended` is in it where orders ended and nothing else
-- about them changed.
create function write_ended(doc jsonb) returns void language plpgsql as $$
begin
    if doc ? 'ended' then
        with ended as materialized (
            select id, from_status, to_status, reason, occurred_at, ended_at
            from jsonb_to_recordset(doc->'ended') as d(
                id bigint, from_status text, to_status text, reason text, occurred_at timestamptz,
                ended_at timestamptz)
        ), orders as (
            update trade_order o
            set status = e.to_status, end_reason = e.reason, ended_at = e.ended_at
            from ended e where o.id = e.id
        ), holds as (
            delete from hold h using ended e where h.order_id = e.id
        ), arrived as (
            delete from new_order n using ended e where n.order_id = e.id
        ), places as (
            delete from order_place p using ended e where p.order_id = e.id
        )
        insert into order_event (order_id, from_status, to_status, reason, occurred_at)
        select id, from_status, to_status, reason, occurred_at from ended;
    end if;
end
$$;
