-- Education delivers streak freezes; a member holds two at most.
update item set is_listed = true, limit_per_member = 2 where category = 'STREAK_FREEZE';
