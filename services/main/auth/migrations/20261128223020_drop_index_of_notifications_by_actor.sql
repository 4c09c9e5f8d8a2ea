-- no-transaction
-- contract: notification_of_actor serves what read it, and has a slice in the order of ids.
drop index concurrently if exists notification_by_actor;
