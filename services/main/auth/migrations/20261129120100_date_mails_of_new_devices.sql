-- When a member was told of a device by mail; null where that was not done.
alter table known_device add column mailed_at timestamptz;
