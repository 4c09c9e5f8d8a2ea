-- A clock that is behind dates what it moves before the end of a day that is paid already. The number of the
-- newest journal tells that the day did not count it. Days that were paid before have no number.
alter table cma_interest add column last_journal bigint;
