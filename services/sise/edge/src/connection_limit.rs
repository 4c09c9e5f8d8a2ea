//! Limits the open sockets, in total and per address.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::config::Config;

pub(crate) struct ConnectionLimit {
    open: Mutex<OpenCount>,
    max_total: usize,
    max_per_address: usize,
}

#[derive(Default)]
struct OpenCount {
    total: usize,
    by_network: HashMap<IpAddr, usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitReached {
    Total,
    Address,
}

/// Counts as one open socket until it is dropped.
pub(crate) struct ConnectionPermit {
    limit: Arc<ConnectionLimit>,
    network: IpAddr,
}

impl ConnectionLimit {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            open: Mutex::default(),
            max_total: config.ws_max_sockets,
            max_per_address: config.ws_sockets_per_address,
        }
    }

    pub(crate) fn open_sockets(&self) -> usize {
        self.open.lock().total
    }

    pub(crate) fn acquire(
        self: &Arc<Self>,
        network: IpAddr,
    ) -> Result<ConnectionPermit, LimitReached> {
        let mut open = self.open.lock();
        let of_address = open.by_network.get(&network).copied().unwrap_or(0);
        if of_address >= self.max_per_address {
            return Err(LimitReached::Address);
        }
        if open.total >= self.max_total {
            return Err(LimitReached::Total);
        }
        open.total += 1;
        open.by_network.insert(network, of_address + 1);
        metrics::gauge!("edge_sockets").increment(1);
        Ok(ConnectionPermit {
            limit: Arc::clone(self),
            network,
        })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limit.open.lock();
        open.total -= 1;
        if let Entry::Occupied(mut of_address) = open.by_network.entry(self.network) {
            *of_address.get_mut() -= 1;
            if *of_address.get() == 0 {
                of_address.remove();
            }
        }
        metrics::gauge!("edge_sockets").decrement(1);
    }
}
