//! A temporary database for benchmarks and for tests that cannot use `sqlx::test`.

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

use crate::unique;

/// Exists until [`TempDatabase::remove`].
pub struct TempDatabase {
    pub pool: PgPool,
    server: PgConnection,
    name: String,
}

impl TempDatabase {
    /// On the server of `url`, whose role may create databases.
    pub async fn create(url: &str, max_connections: u32) -> Self {
        let name = unique("temporary").replace('-', "_");
        let mut server = PgConnection::connect(url)
            .await
            .expect("PostgreSQL answers");
        let create = AssertSqlSafe(format!("create database {name}"));
        let created = sqlx::query(create).execute(&mut server).await;
        created.expect("the role may create databases");
        let options: PgConnectOptions = url.parse().expect("the address of a database");
        let pool = PgPoolOptions::new()
            .max_connections(max_connections)
            // As the pools of the services, which ping only a connection that was idle.
            .test_before_acquire(false)
            .connect_with(options.database(&name))
            .await
            .expect("the new database answers");
        Self { pool, server, name }
    }

    pub async fn remove(mut self) {
        self.pool.close().await;
        let remove = AssertSqlSafe(format!("drop database {} with (force)", self.name));
        let removed = sqlx::query(remove).execute(&mut self.server).await;
        removed.expect("the role may remove its database");
    }
}
