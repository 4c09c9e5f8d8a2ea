-- no-transaction
-- contract: push_send_by_host serves what read it, and while both exist the planner takes this one, which reads through the backlog of a host.
drop index concurrently if exists push_send_due;
