//! Cash: granted by the operator's command, turned into won by its owner alone.

use futures_util::future::join_all;
use kernel::MemberId;
use proto::trading::v1 as wire;
use proto::trading::v1::cash_service_client::CashServiceClient;
use sea_orm::SqlxPostgresConnector;
use sqlx::PgPool;
use tonic::{Code, Status};
use trading::cash::grant::{self, CashGrant, GrantError};

use crate::world::{World, reason};

const ME: i64 = 100_001;
const OPENED: i64 = 5_000_000;

pub(crate) async fn grant(
    world: &World,
    member: i64,
    amount: i64,
    key: Option<&str>,
) -> Result<i64, GrantError> {
    let db = SqlxPostgresConnector::from_sqlx_postgres_pool(world.pool.clone());
    let grant = CashGrant {
        member_id: MemberId(member),
        amount,
        reason: "for the test".to_owned(),
        key: key.map(str::to_owned),
    };
    grant::grant(&db, &world.clock, &grant).await
}

pub(crate) async fn exchange(
    world: &World,
    cash: i64,
    key: &str,
) -> Result<wire::ExchangeCashReply, Status> {
    let request = wire::ExchangeCashRequest {
        member_id: ME,
        request_id: key.to_owned(),
        cash,
    };
    let client = CashServiceClient::connect(world.served.url.clone());
    let exchanged = client.await.unwrap().exchange_cash(request).await;
    exchanged.map(tonic::Response::into_inner)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn cash_is_granted_to_members_only_and_once_per_key(pool: PgPool) {
    let world = World::new(pool).await;
    let nobody = grant(&world, ME, 5, None).await.unwrap_err();
    assert!(
        matches!(nobody, GrantError::NoAccount(MemberId(ME))),
        "{nobody}"
    );
    world.basic(ME).await;
    assert_eq!(grant(&world, ME, 5, Some("spring")).await.unwrap(), 5);
    let again = grant(&world, ME, 5, Some("spring")).await.unwrap_err();
    assert!(matches!(again, GrantError::Repeated(_)), "{again}");
    assert_eq!(grant(&world, ME, 2, None).await.unwrap(), 7);
    for wrong in [0, -1, 1_000_001] {
        let refused = grant(&world, ME, wrong, None).await.unwrap_err();
        assert!(matches!(refused, GrantError::Amount), "{refused}");
    }
    let issued = "select sum(amount)::bigint from entry where book = 'ISSUE' and asset = 'CASH'";
    assert_eq!(world.count(issued).await, -7);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn cash_becomes_bought_deposit_and_never_more_than_there_is(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    grant(&world, ME, 10, None).await.unwrap();
    let copies = (0..10).map(|_| exchange(&world, 4, "the-same-key"));
    let replies: Vec<_> = join_all(copies)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    assert_eq!((replies[0].won, replies[0].cash_left), (4_000, 6));
    assert_eq!(replies[0].message, "캐시 4개로 4,000원을 넣었어요");
    let keys: Vec<String> = (0..6).map(|index| format!("at-once-{index}")).collect();
    let done = join_all(keys.iter().map(|key| exchange(&world, 2, key))).await;
    assert_eq!(
        done.iter().filter(|reply| reply.is_ok()).count(),
        3,
        "{done:?}"
    );
    let refused = exchange(&world, 1, "too-many-1").await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_CASH_ASSET");
    let reused = exchange(&world, 3, "the-same-key").await.unwrap_err();
    assert_eq!(reason(&reused), "REQ_SID_REUSED");
    for malformed in [0, -4, i64::MAX] {
        let refused = exchange(&world, malformed, "malformed-1")
            .await
            .unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{malformed}");
    }
    let basic = world.basic(ME).await;
    assert_eq!(basic.deposit_won, OPENED + 10_000);
    assert_eq!(basic.bought_deposit_won, 10_000);
    let summary = world.summary(ME).await;
    assert_eq!(
        summary.total_won, summary.base_won,
        "bought won are no profit"
    );
    world.audit().await;
}
