-- A code by the mail that carries it, and what has to be forgotten, without reading whole tables.

create index email_code_mail on email_code (mail_id);
create index password_reset_expires on password_reset (expires_at);
create index mail_pause_until on mail_pause (until);
create index mail_dead on mail (dead_at) where dead_at is not null;
