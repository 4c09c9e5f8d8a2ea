//! The measured server: a child process, its CPU time and its memory.

use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Settings;
use crate::source::Environment;

/// `USER_HZ`, the same on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;
const STOP_WITHIN: Duration = Duration::from_secs(5);
const START_WITHIN: Duration = Duration::from_secs(20);

pub(crate) struct Server {
    child: Child,
}

impl Server {
    /// Starts the server and waits until it listens.
    pub(crate) async fn start(settings: &Settings, environment: &Environment) -> Self {
        let (program, arguments) = settings.command.split_first().unwrap();
        let child = Command::new(program)
            .args(arguments)
            .envs(environment.environment())
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
        // The edge may still be loading its snapshot.
        tokio::time::sleep(Duration::from_secs(1)).await;
        Self { child }
    }

    /// CPU seconds of the process and its children.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        let used = self.process_tree().into_iter().filter_map(|pid| {
            let fields = stat(pid)?;
            let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
            Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
        });
        used.sum()
    }

    /// Memory of the process and its children (PSS).
    pub(crate) fn own_bytes(&self) -> u64 {
        let held = self.process_tree().into_iter().filter_map(|pid| {
            let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let line = rollup.lines().find(|line| line.starts_with("Pss:"))?;
            let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
            Some(kilobytes * 1_024)
        });
        held.sum()
    }

    fn process_tree(&self) -> Vec<u32> {
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

/// Stops the server, also when the measurement failed.
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

/// The fields after the process name, which may contain spaces.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}
