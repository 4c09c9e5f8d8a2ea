//! Repairs of streaks, which trading is paid for.
//!
//! A repair is noted, paid under a key of member and day, and finished. After a crash in between the
//! job repeats the payment with the same key, so it is never charged twice.

use std::time::Duration;

use bootstrap::grpc;
use kernel::MemberId;
use proto::trading::v1::SpendPointsRequest;
use proto::trading::v1::point_service_client::PointServiceClient;
use tonic::{Code, Request, Status};

use crate::domain::points;
use crate::error::StudyError;
use crate::store::{NotedRepair, RepairStep, Store, StreakView};

const PAYMENT_TIMEOUT: Duration = Duration::from_secs(3);
const REASON: &str = "STREAK_REPAIR";

#[derive(Clone)]
pub struct Repairs {
    store: Store,
    trading: PointServiceClient<grpc::Client>,
}

impl Repairs {
    /// Connects lazily.
    ///
    /// # Errors
    /// When `trading_url` is no URL.
    pub fn connect(store: Store, trading_url: &str) -> anyhow::Result<Self> {
        let channel = grpc::channel(trading_url)?;
        Ok(Self {
            store,
            trading: PointServiceClient::new(channel),
        })
    }

    /// Repairs the day before for points. A repetition changes nothing.
    ///
    /// # Errors
    /// [`StudyError::RepairNotPossible`], and [`StudyError::Payment`] with trading's refusal. While
    /// trading is away the repair stays noted, and the job finishes it.
    pub async fn repair(&self, member: MemberId) -> Result<StreakView, StudyError> {
        if let RepairStep::Pay(noted) = self.store.note_repair(member).await? {
            match self.pay(member, noted).await {
                // Whatever kept trading from deciding, the member may ask again.
                Err(StudyError::Payment(failed)) if !is_refusal(&failed) => {
                    return Err(StudyError::Payment(Status::unavailable("trading")));
                }
                paid => paid?,
            }
        }
        self.store.streak(member).await
    }

    /// Pays a noted repair and finishes it.
    ///
    /// # Errors
    /// [`StudyError::Payment`]: the repair is given up if trading refused, and stays noted if trading
    /// did not decide.
    pub async fn pay(&self, member: MemberId, noted: NotedRepair) -> Result<(), StudyError> {
        let day = noted.day;
        let mut request = Request::new(SpendPointsRequest {
            member_id: member.0,
            points: points::REPAIR.into(),
            key: format!("repair-{member}-{day}"),
            reason: REASON.to_owned(),
        });
        request.set_timeout(PAYMENT_TIMEOUT);
        match self.trading.clone().spend_points(request).await {
            Ok(_paid) => self.store.finish_repair(member, day).await,
            Err(refused) if is_refusal(&refused) => {
                self.store.refuse_repair(member, noted).await?;
                Err(StudyError::Payment(refused))
            }
            Err(failed) => {
                tracing::warn!(error = %failed, "A streak repair waits for trading");
                Err(StudyError::Payment(failed))
            }
        }
    }
}

/// Whether trading decided that nothing is paid, as opposed to not having answered.
fn is_refusal(status: &Status) -> bool {
    status.code() == Code::FailedPrecondition && bootstrap::problem::of(status).is_some()
}
