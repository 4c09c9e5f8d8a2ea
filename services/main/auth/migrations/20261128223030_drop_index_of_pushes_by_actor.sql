-- no-transaction
-- contract: push_delivery_of_actor serves what read it, and has a slice in the order of ids.
drop index concurrently if exists push_delivery_by_actor;
