//! The program and its tables.

use community::MIGRATOR;
use sqlx::{ConnectOptions, PgPool};
use testkit::{TempFolder, program, schema};

#[sqlx::test(migrator = "MIGRATOR")]
async fn common_tables_are_declared_alike(pool: PgPool) {
    schema::assert_declared_alike(&pool, &[schema::REQUEST, schema::OUTBOX]).await;
}

#[sqlx::test(migrations = false)]
async fn the_program_migrates_becomes_ready_and_drains(pool: PgPool) {
    let url = pool.connect_options().to_url_lossy().to_string();
    let binary = env!("CARGO_BIN_EXE_community");
    program::migrate(binary, &url).await;
    let folder = TempFolder::new("seedup-files");
    let files = format!("file://{}", folder.path().display());
    let settings = [("DATABASE_URL", &*url), ("FILES_URL", &*files)];
    program::assert_becomes_ready_and_drains(binary, &settings).await;
}
