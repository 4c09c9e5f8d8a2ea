//! The sockets that may be open: so many altogether, and so many of one address.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::config::Config;

/// Counts open sockets.
pub(crate) struct Seats {
    taken: Mutex<Taken>,
    most: usize,
    most_of_address: usize,
}

#[derive(Default)]
struct Taken {
    all: usize,
    by_network: HashMap<IpAddr, usize>,
}

/// Why there is no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// Every one is taken.
    All,
    /// The address has as many as it may.
    OfAddress,
}

/// The seat of one open socket, free again when it is dropped.
pub(crate) struct Seat {
    seats: Arc<Seats>,
    network: IpAddr,
}

impl Seats {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            taken: Mutex::default(),
            most: config.ws_max_sockets,
            most_of_address: config.ws_sockets_per_address,
        }
    }

    /// Sockets that are open.
    pub(crate) fn taken(&self) -> usize {
        self.taken.lock().all
    }

    /// Takes a seat for a socket from `network`.
    pub(crate) fn take(self: &Arc<Self>, network: IpAddr) -> Result<Seat, Full> {
        let mut taken = self.taken.lock();
        let of_address = taken.by_network.get(&network).copied().unwrap_or(0);
        if of_address >= self.most_of_address {
            return Err(Full::OfAddress);
        }
        if taken.all >= self.most {
            return Err(Full::All);
        }
        taken.all += 1;
        taken.by_network.insert(network, of_address + 1);
        metrics::gauge!("edge_sockets").increment(1);
        Ok(Seat {
            seats: Arc::clone(self),
            network,
        })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken.lock();
        taken.all -= 1;
        if let Entry::Occupied(mut of_address) = taken.by_network.entry(self.network) {
            *of_address.get_mut() -= 1;
            if *of_address.get() == 0 {
                of_address.remove();
            }
        }
        metrics::gauge!("edge_sockets").decrement(1);
    }
}
