-- A moderator may take one picture away, also one that is in no text. The step only names it, because the
-- row of the picture goes with its files.
alter table moderation_step add column picture_id uuid;
-- compatible: one kind more, which the last release passes over.
alter table moderation_step drop constraint moderation_step_kind_check,
    add constraint moderation_step_kind_check check (kind in ('HIDDEN', 'UPHELD', 'DISMISSED',
        'HELD', 'PUBLISHED', 'REFUSED', 'RESTRICTED', 'LIFTED', 'REMOVED', 'EXPIRED',
        'APPEALED', 'PICTURE_REMOVED')) not valid;
-- compatible: what the last release writes is as before.
alter table moderation_step drop constraint moderation_step_check,
    add constraint moderation_step_check check (case kind
        when 'PICTURE_REMOVED' then picture_id is not null and num_nonnulls(post_id, comment_id) <= 1
        else picture_id is null and num_nonnulls(post_id, comment_id) = 1 end) not valid;
