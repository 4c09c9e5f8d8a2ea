//! A Redis database for a test that empties it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use deadpool_redis::redis::{Client, Cmd, Connection, FromRedisValue, cmd};

use crate::redis_url;

/// Redis's default number of databases; the first is shared.
const DATABASES: u32 = 16;
/// Frees the database of a killed test; longer than any test that uses one.
const CLAIM_TTL_S: u32 = 120;
const CLAIM_TIMEOUT: Duration = Duration::from_secs(60);
/// Frees a claim that is still one's own.
const FREE: &str =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/// A numbered database of the tests' Redis, initially empty, and exclusive for [`CLAIM_TTL_S`] or until it is dropped.
pub struct TempRedis {
    pub url: String,
    claim: String,
    owner: String,
    shared: Connection,
}

impl TempRedis {
    /// Waits until a database is free.
    #[must_use]
    pub fn claim() -> Self {
        let url = redis_url();
        let (server, _database) = url.rsplit_once('/').expect("REDIS_URL ends with /0");
        let mut shared = connect(&url);
        let owner = uuid::Uuid::new_v4().to_string();
        let started = Instant::now();
        loop {
            for number in 1..DATABASES {
                let claim = format!("testkit:claim:{number}");
                let mut set = cmd("SET");
                set.arg(&claim)
                    .arg(&owner)
                    .arg("NX")
                    .arg("EX")
                    .arg(CLAIM_TTL_S);
                if ask::<Option<String>>(&mut shared, &set).is_some() {
                    let url = format!("{server}/{number}");
                    let claimed = Self {
                        url,
                        claim,
                        owner,
                        shared,
                    };
                    claimed.empty();
                    return claimed;
                }
            }
            assert!(
                started.elapsed() < CLAIM_TIMEOUT,
                "every database is claimed"
            );
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
        let mut free = cmd("EVAL");
        free.arg(FREE).arg(1).arg(&self.claim).arg(&self.owner);
        let _freed: i64 = ask(&mut self.shared, &free);
    }
}

fn connect(url: &str) -> Connection {
    let client = Client::open(url).expect("REDIS_URL is the address of a Redis");
    client.get_connection().expect("Redis answers")
}

fn ask<T: FromRedisValue>(connection: &mut Connection, command: &Cmd) -> T {
    command.query(connection).expect("the command succeeds")
}
