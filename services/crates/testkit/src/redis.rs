//! A database of the tests' Redis for one test that empties it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use deadpool_redis::redis::{Client, Cmd, Connection, FromRedisValue, cmd};

use crate::redis_url;

/// As many as a Redis has that was told nothing else; the first is everybody's.
const DATABASES: u32 = 16;
/// A claim of a test that was killed ends then.
const CLAIMED_FOR_S: u32 = 120;
const PATIENCE: Duration = Duration::from_secs(60);

/// A numbered database of the tests' Redis that no other test uses, from [`TempRedis::claim`]
/// until it is dropped. It is empty at first.
pub struct TempRedis {
    /// Its address.
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

    /// Forgets everything, as `FLUSHALL` and a restart without a dump do.
    pub fn empty(&self) {
        let () = self.run(&["FLUSHDB"]);
    }

    /// The answer to a command.
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
