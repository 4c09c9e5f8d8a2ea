//! The proxy before a server that repeats what it hears.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use fault_proxy::{FaultProxy, Faults, Way};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(30);
const BRIEFLY: Duration = Duration::from_millis(200);

async fn before_an_echo() -> FaultProxy {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        while let Ok((mut socket, _from)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut reads, mut writes) = socket.split();
                let _ended = tokio::io::copy(&mut reads, &mut writes).await;
            });
        }
    });
    FaultProxy::before(&address).await.unwrap()
}

async fn answer(socket: &mut TcpStream) -> std::io::Result<[u8; 4]> {
    let mut heard = [0; 4];
    timeout(LONG, socket.read_exact(&mut heard))
        .await
        .unwrap()?;
    Ok(heard)
}

#[tokio::test]
async fn what_a_silent_network_kept_passes_when_it_heals() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.write_all(b"calm").await.unwrap();
    assert_eq!(&answer(&mut socket).await.unwrap(), b"calm");
    for faults in [
        Faults::both(Way::silent()),
        Faults {
            to_client: Way::silent(),
            ..Faults::default()
        },
    ] {
        proxy.set(faults);
        socket.write_all(b"lost").await.unwrap();
        let mut heard = [0; 4];
        assert!(
            timeout(BRIEFLY, socket.read_exact(&mut heard))
                .await
                .is_err()
        );
        proxy.heal();
        assert_eq!(&answer(&mut socket).await.unwrap(), b"lost");
    }
}

#[tokio::test]
async fn latency_and_bandwidth_take_at_least_their_time() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    proxy.set(Faults::both(Way::slow(BRIEFLY)));
    let started = Instant::now();
    socket.write_all(b"slow").await.unwrap();
    assert_eq!(&answer(&mut socket).await.unwrap(), b"slow");
    assert!(started.elapsed() >= BRIEFLY * 2);

    proxy.set(Faults {
        to_server: Way {
            bytes_per_second: NonZeroU32::new(40),
            ..Way::default()
        },
        ..Faults::default()
    });
    let started = Instant::now();
    socket.write_all(b"thin").await.unwrap();
    assert_eq!(&answer(&mut socket).await.unwrap(), b"thin");
    assert!(started.elapsed() >= Duration::from_millis(100));
}

#[tokio::test]
async fn a_reset_ends_what_is_open_and_refusal_what_comes() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.write_all(b"open").await.unwrap();
    assert_eq!(&answer(&mut socket).await.unwrap(), b"open");
    proxy.reset();
    assert!(answer(&mut socket).await.is_err());

    let mut next = TcpStream::connect(proxy.address()).await.unwrap();
    next.write_all(b"next").await.unwrap();
    assert_eq!(&answer(&mut next).await.unwrap(), b"next");
    proxy.set(Faults {
        refuses: true,
        ..Faults::default()
    });
    let mut refused = TcpStream::connect(proxy.address()).await.unwrap();
    let _sent = refused.write_all(b"late").await;
    assert!(answer(&mut refused).await.is_err());
    next.write_all(b"kept").await.unwrap();
    assert_eq!(&answer(&mut next).await.unwrap(), b"kept");
}
