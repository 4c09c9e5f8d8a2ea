-- Frames, name plates and themes can be worn. What is for sale for a week is so from now on.
update item set is_listed = true where slot is not null;
update item set sale_from = now(), sale_to = now() + interval '7 days' where sale_to is not null;
