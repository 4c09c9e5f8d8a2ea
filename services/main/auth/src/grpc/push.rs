use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::auth::v1 as wire;
use proto::auth::v1::push_service_server::PushService;
use tonic::{Request, Response};
use uuid::Uuid;

use super::Service;
use crate::domain::PushKind;
use crate::domain::push::{Subscription, SubscriptionRequest};
use crate::error::AuthError;

impl Service {
    async fn subscribe_to_pushes(&self, request: wire::SubscribeRequest) -> Result<(), AuthError> {
        let asked = SubscriptionRequest {
            kind: &request.kind,
            address: &request.address,
            p256dh: &request.p256dh,
            auth: &request.auth,
        };
        let subscription = Subscription::parse(asked, self.push.allows_private())?;
        if !self.push.has(subscription.kind) {
            return Err(AuthError::PushUnavailable);
        }
        let session = Uuid::parse_str(&request.session_id);
        let session = session.map_err(|_no_id| AuthError::SessionInvalid)?;
        let member = MemberId(request.member_id);
        self.store.subscribe(member, session, &subscription).await
    }

    async fn unsubscribe_from_pushes(
        &self,
        request: wire::UnsubscribeRequest,
    ) -> Result<(), AuthError> {
        let kind = PushKind::of_member(&request.kind).ok_or(AuthError::InvalidSubscription)?;
        let member = MemberId(request.member_id);
        self.store.unsubscribe(member, kind, &request.address).await
    }
}

#[tonic::async_trait]
impl PushService for Service {
    async fn subscribe(&self, request: Request<wire::SubscribeRequest>) -> Reply<wire::Subscribed> {
        self.subscribe_to_pushes(request.into_inner()).await?;
        Ok(Response::new(wire::Subscribed {}))
    }

    async fn unsubscribe(
        &self,
        request: Request<wire::UnsubscribeRequest>,
    ) -> Reply<wire::Unsubscribed> {
        self.unsubscribe_from_pushes(request.into_inner()).await?;
        Ok(Response::new(wire::Unsubscribed {}))
    }

    async fn get_push_key(
        &self,
        _request: Request<wire::GetPushKeyRequest>,
    ) -> Reply<wire::PushKey> {
        let public_key = self.push.web_key().unwrap_or_default().to_owned();
        Ok(Response::new(wire::PushKey { public_key }))
    }
}
