//! The service with real servers.

use std::sync::Arc;

use kernel::SystemClock;
use proto::sample::v1::AddNoteRequest;
use proto::sample::v1::sample_service_client::SampleServiceClient;
use sample::MIGRATOR;
use sample::grpc::Notes;
use sample::store::Store;
use sea_orm::SqlxPostgresConnector;
use sqlx::{ConnectOptions, PgPool};
use testkit::{program, schema};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_note_is_stored_with_its_event(pool: PgPool) {
    let database = SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone());
    let notes = Notes::new(Store::new(database, Arc::new(SystemClock)));
    let served = testkit::serve(notes.into_routes()).await;
    let mut client = SampleServiceClient::connect(served.url.clone()).await.unwrap();
    let request = AddNoteRequest {
        member_id: 7,
        body: "buy low".to_owned(),
    };
    let note = client.add_note(request).await.unwrap().into_inner();
    let stored: (i64, String, String) = sqlx::query_as(
        "select note.id, note.body, event_type from note \
         join outbox on aggregate_id = member_id::text",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    let event_type = sample::events::NOTE_ADDED.to_owned();
    assert_eq!(stored, (note.id, "buy low".to_owned(), event_type));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn common_tables_are_declared_alike(pool: PgPool) {
    schema::assert_declared_alike(&pool, &[schema::OUTBOX]).await;
}

#[sqlx::test(migrations = false)]
async fn the_program_migrates_becomes_ready_and_drains(pool: PgPool) {
    let url = pool.connect_options().to_url_lossy().to_string();
    let binary = env!("CARGO_BIN_EXE_sample");
    program::migrate(binary, &url).await;
    program::assert_becomes_ready_and_drains(binary, &[("DATABASE_URL", &url)]).await;
}
