//! The gRPC service: converts the request, calls the store, converts the result.

use kernel::MemberId;
use proto::community::v1 as wire;
use proto::community::v1::community_service_server::{CommunityService, CommunityServiceServer};
use tonic::service::Routes;
use tonic::{Request, Response, Status};

use crate::store::Store;

pub struct Notes {
    store: Store,
}

impl Notes {
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    #[must_use]
    pub fn into_routes(self) -> Routes {
        Routes::new(CommunityServiceServer::new(self))
    }
}

#[tonic::async_trait]
impl CommunityService for Notes {
    async fn add_note(
        &self,
        request: Request<wire::AddNoteRequest>,
    ) -> Result<Response<wire::Note>, Status> {
        let wire::AddNoteRequest { member_id, body } = request.into_inner();
        let added = self.store.add_note(MemberId(member_id), body).await;
        let note = added.map_err(|error| {
            tracing::error!(%error, "A note could not be added");
            Status::internal("the database failed")
        })?;
        Ok(Response::new(wire::Note {
            id: note.id,
            member_id: note.member_id.0,
            body: note.body,
        }))
    }
}
