//! Following and blocking.

use std::time::Instant;

use proto::community::v1::SetRelationRequest;

use super::member::Member;
use super::model::Wanted;

impl Member {
    /// Mostly takes a block back, so that most members see each other.
    pub(super) async fn block(&mut self) -> anyhow::Result<()> {
        let Some(other) = self.neighbour() else {
            return Ok(());
        };
        let pair = (self.id, other);
        let on = self.one_in(3);
        self.model.lock().relations.blocks(pair, on);
        let began = Instant::now();
        let answer = self.api.set_block(request(pair, on)).await?;
        let ended = Instant::now();
        self.acted.count("block", answer.result.is_ok());
        match answer.result {
            Ok(relation) if relation.is_blocked == on => {
                let wanted = Wanted { on, began, ended };
                self.model.lock().relations.blocked(pair, wanted);
            }
            outcome => self
                .acted
                .record_fault(format!("block of {pair:?}: {outcome:?}")),
        }
        Ok(())
    }

    pub(super) async fn follow(&mut self) -> anyhow::Result<()> {
        let other = if self.one_in(2) {
            self.neighbour()
        } else {
            self.other()
        };
        let Some(other) = other else {
            return Ok(());
        };
        let pair = (self.id, other);
        let wanted = !self.one_in(4);
        let began = Instant::now();
        let answer = self.api.set_follow(request(pair, wanted)).await?;
        let ended = Instant::now();
        self.acted.count("follow", answer.result.is_ok());
        let mut model = self.model.lock();
        // Whoever is refused is blocked, and so follows no more.
        let on = wanted && answer.result.is_ok();
        model.relations.followed(pair, Wanted { on, began, ended });
        let was_blocked = model.relations.was_blocked(self.id, other);
        drop(model);
        let is_right = match &answer.result {
            Ok(relation) => relation.is_followed == wanted,
            Err(reason) => reason == "MEMBER_NOT_FOUND" && wanted && was_blocked,
        };
        if !is_right {
            let fault = format!("follow of {pair:?}: {:?}", answer.result);
            self.acted.record_fault(fault);
        }
        Ok(())
    }
}

fn request((member_id, other_id): (i64, i64), on: bool) -> SetRelationRequest {
    SetRelationRequest {
        member_id,
        other_id,
        on,
    }
}
