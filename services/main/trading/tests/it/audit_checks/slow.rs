//! An account that cannot be checked in time keeps no other from being checked.

use sqlx::PgPool;
use trading::audit;

use super::{ANY_AGE, divided_world, names, tamper};

/// The check that is proved here.
pub(crate) const COMPARED: &str = "an account is compared with its history in time";

/// A check of the holdings of accounts takes too long where account 2 is among them.
const TAKE_LONG: &str = "
    create function note(account bigint) returns boolean language plpgsql cost 1000000 as $$ begin
        if account = 2 and current_query() like '%coalesce(g.held_quantity, 0)%' then
            raise exception 'takes long' using errcode = 'query_canceled';
        end if;
        return true;
    end $$;
    alter table holding rename to all_holdings;
    create view holding as select * from all_holdings where note(account_id)";
/// As [`TAKE_LONG`], of what the audit asks of the holders of a share for each split and each dividend.
const HOLDERS_TAKE_LONG: &str = "
    create function note(account bigint) returns boolean language plpgsql cost 1000000 as $$ begin
        if account = 2 and (current_query() like '%before the split of%'
                or current_query() like '%noted.ended%') then
            raise exception 'takes long' using errcode = 'query_canceled';
        end if;
        return true;
    end $$;
    alter table holding rename to all_holdings;
    create view holding as select * from all_holdings where note(account_id);
    insert into dividend (id, instrument_code, ex_day, pay_day, amount, currency)
        values (1, '005930', 20261101, 20261120, 100, 'KRW')";
const RESTORED: &str = "
    drop view holding;
    alter table all_holdings rename to holding;
    drop function note";
const FALSIFIED: &str = "update balance set amount = amount + 1 where account_id = 3";
const BALANCES: &str = "an account's balances are the sums of its entries";
const COMPLETED: &str = "select count(*) from audit_run where completed_at is not null";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_that_takes_too_long_is_named_and_the_others_are_checked(pool: PgPool) {
    let world = divided_world(pool).await;
    tamper(&world, FALSIFIED).await;
    tamper(&world, TAKE_LONG).await;
    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(names(&whole, COMPARED, "account 2"), "{whole}");
    assert!(names(&whole, BALANCES, "account 3"), "{whole}");
    let slow = whole.findings.iter().filter(|one| one.check == COMPARED);
    assert_eq!(slow.count(), 1, "{whole}");
    let others = world.count("select count(*) - 1 from account").await;
    assert_eq!(whole.accounts, others, "{whole}");
    assert_eq!(world.count(COMPLETED).await, 1);
    // What is audited in turn comes to its end, too.
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(names(&new, COMPARED, "account 2"), "{new}");
    assert_eq!(new.accounts, others, "{new}");

    // It may have been a stall of the database, of which nothing remains.
    tamper(&world, RESTORED).await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(!names(&new, COMPARED, ""), "{new}");
    assert!(names(&new, BALANCES, "account 3"), "{new}");
    assert_eq!(new.accounts, others + 1, "{new}");

    let mended = "update balance set amount = amount - 1 where account_id = 3";
    tamper(&world, mended).await;
    world.audit().await;
}

/// Of a holder after the slow one.
const LEFT_OUT: &str = "delete from holding_split where account_id = 3";
/// Splits whose holders are all checked.
const CHECKED: &str = "select count(*) from audit_progress where part like 'split of %' \
     and checked_to = 9223372036854775807";
const REACHED: &str = "a split reaches everybody who owned the share";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_holder_who_takes_too_long_is_named_and_the_others_are_checked(pool: PgPool) {
    let world = divided_world(pool).await;
    tamper(&world, FALSIFIED).await;
    tamper(&world, LEFT_OUT).await;
    tamper(&world, HOLDERS_TAKE_LONG).await;
    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    let split = "account 2, split of 005930 on 20261120";
    assert!(names(&whole, COMPARED, split), "{whole}");
    let dividend = "account 2, claims of dividend 1";
    assert!(names(&whole, COMPARED, dividend), "{whole}");
    let slow = whole.findings.iter().filter(|one| one.check == COMPARED);
    assert_eq!(slow.count(), 2, "{whole}");
    assert!(names(&whole, REACHED, "holding 3/005930"), "{whole}");
    assert!(names(&whole, BALANCES, "account 3"), "{whole}");
    assert_eq!(world.count(COMPLETED).await, 1);

    // The next audit goes on with who was passed over, and is done with the split.
    tamper(&world, RESTORED).await;
    assert_eq!(world.count(CHECKED).await, 0);
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(!names(&new, COMPARED, ""), "{new}");
    assert!(names(&new, REACHED, "holding 3/005930"), "{new}");
    assert_eq!(world.count(CHECKED).await, 1);
}
