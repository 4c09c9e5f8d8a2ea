-- When the author changed a text in the day up to its last change, newest first; the rates of editing bound
-- their number. Apart from the text, whose lists need none of it.
create table text_edit (
    post_id bigint references post,
    comment_id bigint references comment,
    edit_times timestamptz[] not null,
    check (num_nonnulls(post_id, comment_id) = 1),
    constraint edits_of_post_once unique (post_id),
    constraint edits_of_comment_once unique (comment_id)
);
