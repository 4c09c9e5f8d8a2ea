//! The events that wait until they are sent: nothing relays them here.

use prost::Message;

use crate::world::World;

impl World {
    /// Oldest first.
    pub(crate) async fn told<M: Message + Default>(&self, event_type: &str) -> Vec<M> {
        let waiting = "select body from outbox where event_type = $1 order by id";
        let bodies: Vec<Vec<u8>> = sqlx::query_scalar(waiting)
            .bind(event_type)
            .fetch_all(&self.pool)
            .await
            .unwrap();
        let told = bodies.iter().map(Vec::as_slice);
        told.map(|body| M::decode(body).unwrap()).collect()
    }
}
