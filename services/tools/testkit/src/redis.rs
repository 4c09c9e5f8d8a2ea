//! A Redis database for a test that empties it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use deadpool_redis::redis::{Client, Cmd, Connection, FromRedisValue, cmd};

use crate::redis_url;

/// Redis's default number of databases; the first is shared.
const DATABASES: u32 = 16;
/// After which the claim of a killed test ends.
const CLAIMED_FOR_S: u32 = 120;
const PATIENCE: Duration = Duration::from_secs(60);

/// A numbered database of the tests' Redis, initially empty and exclusive until it is dropped.
pub struct TempRedis {
    pub url: String,
    claim: String,
    claims: Connection,
}

impl TempRedis {
    /// Waits until a database is free.
    #[must_use]
    pub fn claim() -> Self {
        let shared = redis_url();
        let (server, _database) = shared.rsplit_once('/').expect("REDIS_URL ends with /0");
        let mut claims = connect(&shared);
        let started = Instant::now();
        loop {
            for number in 1..DATABASES {
                let claim = format!("testkit:claim:{number}");
                let mut set = cmd("SET");
                set.arg(&claim)
                    .arg(1)
                    .arg("NX")
                    .arg("EX")
                    .arg(CLAIMED_FOR_S);
                if ask::<Option<String>>(&mut claims, &set).is_some() {
                    let url = format!("{server}/{number}");
                    let claimed = Self { url, claim, claims };
                    claimed.empty();
                    return claimed;
                }
            }
            assert!(started.elapsed() < PATIENCE, "every database is claimed");
            sleep(Duration::from_millis(100));
        }
    }

    /// `FLUSHDB`: as after a restart without a dump.
    pub fn empty(&self) {
        let () = self.run(&["FLUSHDB"]);
    }

    pub fn run<T: FromRedisValue>(&self, words: &[&str]) -> T {
        let mut command = cmd(words.first().expect("a command has a name"));
        for word in words.iter().skip(1) {
            command.arg(*word);
        }
        ask(&mut connect(&self.url), &command)
    }
}

impl Drop for TempRedis {
    fn drop(&mut self) {
        let _freed: i64 = ask(&mut self.claims, cmd("DEL").arg(&self.claim));
    }
}

fn connect(url: &str) -> Connection {
    let client = Client::open(url).expect("REDIS_URL is the address of a Redis");
    client.get_connection().expect("Redis answers")
}

fn ask<T: FromRedisValue>(connection: &mut Connection, command: &Cmd) -> T {
    command.query(connection).expect("Redis understands")
}
