-- The season in which an account is opened, also by a release that does not name it. A migration of its
-- own: who opens an account locks it before the journals.
create function name_season_of_account() returns trigger language plpgsql as $$
begin
    new.season := (select count(*) + 1 from past_season where member_id = new.member_id);
    return new;
end
$$;
-- compatible: the release before names the same season.
create trigger account_is_of_present_season before insert on account
    for each row execute function name_season_of_account();
