//! The gRPC service: converts the request, calls the store, converts the result.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::sample::v1 as wire;
use proto::sample::v1::sample_service_server::{SampleService, SampleServiceServer};
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
        Routes::new(SampleServiceServer::new(self))
    }
}

#[tonic::async_trait]
impl SampleService for Notes {
    async fn add_note(&self, request: Request<wire::AddNoteRequest>) -> Reply<wire::Note> {
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
