//! Points that students turn into won: what was credited by then, more than that, twice, and two
//! transfers at once.

use anyhow::{bail, ensure};
use proto::trading::v1::{GetPointsRequest, MovePointsReply, MovePointsRequest, Points};

use super::Worker;

/// Won for a point, before the multiplier.
const WON_PER_POINT: i64 = 1_000;
/// More than anybody earns.
const UNAFFORDABLE: i64 = 1_000_000;

impl Worker {
    pub(super) async fn move_points(&mut self, member_id: i64) -> anyhow::Result<()> {
        let before = self.points_of(member_id).await?;
        let has = before.balance;
        if has < 2 {
            return Ok(());
        }
        let too_many = self.request(member_id, has + UNAFFORDABLE);
        self.expect_refusal(&too_many, "INSUFFICIENT_POINTS")
            .await?;

        let half = self.request(member_id, has / 2);
        let (one, other) = tokio::join!(self.send(&half), self.send(&half));
        let (Ok(one), Ok(other)) = (one?, other?) else {
            bail!("half of {has} points was refused");
        };
        self.accept(&half, &one)?;
        ensure!(
            is_same(&one, &other),
            "one transfer of points has two replies"
        );
        let Ok(again) = self.send(&half).await? else {
            bail!("a repeated transfer of points was refused");
        };
        ensure!(
            is_same(&one, &again),
            "a repeated transfer of points has another reply"
        );
        let other_body = MovePointsRequest {
            points: half.points + 1,
            ..half
        };
        self.expect_refusal(&other_body, "REQ_SID_REUSED").await?;
        self.empty(member_id).await
    }

    /// Moves the rest twice at once; both can only be done if more was credited meanwhile.
    async fn empty(&mut self, member_id: i64) -> anyhow::Result<()> {
        let rest = self.points_of(member_id).await?.balance;
        if rest == 0 || self.rng.below(2) == 0 {
            return Ok(());
        }
        let first = self.request(member_id, rest);
        let second = self.request(member_id, rest);
        let (one, other) = tokio::join!(self.send(&first), self.send(&second));
        let (one, other) = (one?, other?);
        ensure!(
            one.is_ok() || other.is_ok(),
            "of two transfers of all points none was done"
        );
        for (request, reply) in [(first, one), (second, other)] {
            match reply {
                Ok(reply) => self.accept(&request, &reply)?,
                Err(reason) => self.refused(&reason, "INSUFFICIENT_POINTS")?,
            }
        }
        Ok(())
    }

    fn request(&mut self, member_id: i64, points: i64) -> MovePointsRequest {
        MovePointsRequest {
            member_id,
            request_id: format!("proof-{:016x}", self.rng.next_u64()),
            points,
            account_no: String::new(),
        }
    }

    async fn points_of(&self, member_id: i64) -> anyhow::Result<Points> {
        self.retried(|| {
            let mut points = self.points.clone();
            async move { points.get_points(GetPointsRequest { member_id }).await }
        })
        .await
    }

    /// The reply, or the reason of a refusal.
    async fn send(
        &self,
        request: &MovePointsRequest,
    ) -> anyhow::Result<Result<MovePointsReply, String>> {
        let response = self.retries.call(|| {
            let (mut points, request) = (self.points.clone(), request.clone());
            async move { points.move_points(request).await }
        });
        Ok(response.await?.or_reason())
    }

    async fn expect_refusal(
        &mut self,
        request: &MovePointsRequest,
        expected: &str,
    ) -> anyhow::Result<()> {
        match self.send(request).await? {
            Ok(reply) => bail!("moved instead of {expected}: {reply:?}"),
            Err(reason) => self.refused(&reason, expected),
        }
    }

    fn refused(&mut self, reason: &str, expected: &str) -> anyhow::Result<()> {
        ensure!(reason == expected, "{reason} instead of {expected}");
        self.studied.refused += 1;
        Ok(())
    }

    fn accept(
        &mut self,
        request: &MovePointsRequest,
        reply: &MovePointsReply,
    ) -> anyhow::Result<()> {
        let exact = request.points * WON_PER_POINT * i64::from(reply.multiplier_tenths) / 10;
        let is_right = (reply.points, reply.won) == (request.points, exact)
            && (10..=18).contains(&reply.multiplier_tenths)
            && reply.education_points >= 0;
        let moved = self.studied.moved.entry(request.member_id).or_default();
        moved.0 += reply.points;
        moved.1 += reply.won;
        self.studied.transfers += 1;
        ensure!(is_right, "{} points became {reply:?}", request.points);
        Ok(())
    }
}

fn is_same(one: &MovePointsReply, other: &MovePointsReply) -> bool {
    (one.won, one.education_points, one.deposit_won)
        == (other.won, other.education_points, other.deposit_won)
}
