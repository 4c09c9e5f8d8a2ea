use super::*;
use crate::acts::ActReply;

const STOCK: &str = "000000004201";

fn transfer(from: &str, to: &str, won: i64) -> Act {
    Act::Transfer {
        from: from.to_owned(),
        to: to.to_owned(),
        won,
    }
}

fn transferred(from: &str, to: &str, won: i64, from_won: i64, to_won: i64) -> ActResponse {
    ActResponse::Done(ActReply::Transferred {
        transfer_id: 1,
        from: from.to_owned(),
        to: to.to_owned(),
        won,
        from_won,
        to_won,
    })
}

fn refused(reason: &str) -> ActResponse {
    ActResponse::Refused(reason.to_owned())
}

/// With 700 won on a stock account.
fn wallet() -> Wallet {
    let mut wallet = Wallet::default();
    let opened = transferred("000000004200", STOCK, 700, 0, 700);
    wallet.take(&transfer(BASIC, "01", 700), &opened).unwrap();
    wallet
}

#[test]
fn a_sub_account_has_exactly_what_was_moved() {
    let mut wallet = wallet();
    assert_eq!(wallet.basic_won, -700);
    let back = transfer(STOCK, BASIC, 500);
    assert_eq!(
        wallet.take(&back, &transferred(STOCK, "000000004200", 500, 200, 9)),
        Ok(())
    );
    assert!(
        wallet
            .clone()
            .take(&back, &transferred(STOCK, "000000004200", 500, -300, 9))
            .is_err()
    );
    assert_eq!(wallet.take(&back, &refused("INSUFFICIENT_CASH")), Ok(()));
    let small = transfer(STOCK, BASIC, 200);
    assert!(wallet.take(&small, &refused("INSUFFICIENT_CASH")).is_err());
    assert!(
        wallet
            .take(&small, &transferred(STOCK, "000000004200", 200, 1, 9))
            .is_err()
    );
}

#[test]
fn only_an_empty_account_closes_and_it_stays_closed() {
    let mut wallet = wallet();
    let close = Act::CloseAccount {
        number: STOCK.to_owned(),
    };
    let closed = ActResponse::Done(ActReply::AccountClosed {
        number: STOCK.to_owned(),
    });
    assert_eq!(wallet.take(&close, &refused("ACCOUNT_NOT_EMPTY")), Ok(()));
    assert!(wallet.clone().take(&close, &closed).is_err());
    let all = transfer(STOCK, BASIC, 700);
    assert_eq!(
        wallet.take(&all, &transferred(STOCK, "000000004200", 700, 0, 9)),
        Ok(())
    );
    assert!(
        wallet
            .clone()
            .take(&close, &refused("ACCOUNT_NOT_EMPTY"))
            .is_err()
    );
    assert_eq!(wallet.take(&close, &closed), Ok(()));
    assert_eq!(wallet.take(&close, &refused("ACCOUNT_FORBIDDEN")), Ok(()));
    let again = transferred("000000004200", STOCK, 700, 0, 700);
    assert!(wallet.take(&transfer(BASIC, "01", 700), &again).is_err());
}

#[test]
fn another_members_account_takes_part_in_nothing() {
    let mut wallet = wallet();
    let other = transfer("000000004301", BASIC, 1);
    assert_eq!(wallet.take(&other, &refused("ACCOUNT_FORBIDDEN")), Ok(()));
    assert!(
        wallet
            .take(
                &other,
                &transferred("000000004301", "000000004200", 1, 0, 9)
            )
            .is_err()
    );
    let own = transfer(BASIC, "01", 1);
    assert!(wallet.take(&own, &refused("ACCOUNT_FORBIDDEN")).is_err());
}
