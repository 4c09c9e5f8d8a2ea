//! The server under measurement: a child process and what it spends.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Settings;
use crate::source::Surroundings;

/// Clock ticks of the kernel in a second, as every Linux has them.
const TICKS_PER_SECOND: f64 = 100.0;
const STOP_WITHIN: Duration = Duration::from_secs(5);
const START_WITHIN: Duration = Duration::from_secs(20);

/// A running server.
pub(crate) struct Server {
    child: Child,
}

impl Server {
    /// Starts it and waits until it listens.
    pub(crate) async fn start(settings: &Settings, surroundings: &Surroundings) -> Self {
        let (program, arguments) = settings.command.split_first().unwrap();
        let child = Command::new(program)
            .args(arguments)
            .envs(surroundings.environment())
            .env("LISTEN_ADDR", settings.address.to_string())
            .stdin(Stdio::null())
            .stdout(std::io::stderr())
            .spawn()
            .expect("the server's program can be started");
        let started = Instant::now();
        while TcpStream::connect(settings.address).is_err() {
            assert!(
                started.elapsed() < START_WITHIN,
                "the server never listened"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // A snapshot may still be on its way.
        tokio::time::sleep(Duration::from_secs(1)).await;
        Self { child }
    }

    /// Processor seconds that it and its children have used.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        let used = self.family().into_iter().filter_map(|pid| {
            let fields = stat(pid)?;
            let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
            Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
        });
        used.sum()
    }

    /// Memory that it and its children hold; what several share counts in parts.
    pub(crate) fn own_bytes(&self) -> u64 {
        let held = self.family().into_iter().filter_map(|pid| {
            let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let line = rollup.lines().find(|line| line.starts_with("Pss:"))?;
            let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
            Some(kilobytes * 1_024)
        });
        held.sum()
    }

    fn family(&self) -> Vec<u32> {
        let all: Vec<(u32, u32)> = fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(|pid: u32| Some((pid, stat(pid)?.get(1)?.parse().ok()?)))
            .collect();
        let mut found = vec![self.child.id()];
        let mut next = 0;
        while let Some(&parent) = found.get(next) {
            found.extend(
                all.iter()
                    .filter(|(_, of)| *of == parent)
                    .map(|(pid, _)| *pid),
            );
            next += 1;
        }
        found
    }
}

/// It ends with the measurement, also with one that failed.
impl Drop for Server {
    fn drop(&mut self) {
        let _asked = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let asked = Instant::now();
        while self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            if asked.elapsed() > STOP_WITHIN {
                let _killed = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The fields after the name, which may contain blanks.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}
