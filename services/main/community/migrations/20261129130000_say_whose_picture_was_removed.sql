-- Who uploaded a picture that a moderator removed: its row goes with its files, and one in no text leaves
-- nothing else that says so. Null in other steps, and in those of the last release.
alter table moderation_step add column member_id bigint;
