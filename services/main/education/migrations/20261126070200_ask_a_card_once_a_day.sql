-- no-transaction
create unique index concurrently if not exists handout_card_once
    on handout (member_id, day, edu_id) where kind = 'CARD';
