-- A login ends the member's oldest session where there are too many.
-- compatible: one cause more.
alter table session drop constraint session_end_cause_word,
    add constraint session_end_cause_word
        check (end_cause in ('logout', 'reuse', 'password_changed', 'withdrawn', 'too_many')) not valid;
