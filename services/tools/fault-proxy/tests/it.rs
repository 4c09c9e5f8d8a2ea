//! The proxy before an echo server.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use fault_proxy::{DirectionFaults, FaultProxy, Faults};
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
    FaultProxy::for_server(&address).await.unwrap()
}

async fn response(socket: &mut TcpStream) -> std::io::Result<[u8; 4]> {
    let mut received = [0; 4];
    timeout(LONG, socket.read_exact(&mut received))
        .await
        .unwrap()?;
    Ok(received)
}

#[tokio::test]
async fn data_held_by_a_silent_network_passes_after_healing() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.write_all(b"calm").await.unwrap();
    assert_eq!(&response(&mut socket).await.unwrap(), b"calm");
    for faults in [
        Faults::both(DirectionFaults::silent()),
        Faults {
            to_client: DirectionFaults::silent(),
            ..Faults::default()
        },
    ] {
        proxy.set(faults);
        socket.write_all(b"lost").await.unwrap();
        let mut received = [0; 4];
        assert!(
            timeout(BRIEFLY, socket.read_exact(&mut received))
                .await
                .is_err()
        );
        proxy.clear();
        assert_eq!(&response(&mut socket).await.unwrap(), b"lost");
    }
}

#[tokio::test]
async fn latency_and_bandwidth_take_at_least_their_time() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    proxy.set(Faults::both(DirectionFaults::slow(BRIEFLY)));
    let started = Instant::now();
    socket.write_all(b"slow").await.unwrap();
    assert_eq!(&response(&mut socket).await.unwrap(), b"slow");
    assert!(started.elapsed() >= BRIEFLY * 2);

    proxy.set(Faults {
        to_server: DirectionFaults {
            bytes_per_second: NonZeroU32::new(40),
            ..DirectionFaults::default()
        },
        ..Faults::default()
    });
    let started = Instant::now();
    socket.write_all(b"thin").await.unwrap();
    assert_eq!(&response(&mut socket).await.unwrap(), b"thin");
    assert!(started.elapsed() >= Duration::from_millis(100));
}

#[tokio::test]
async fn reset_ends_open_connections_and_refusal_new_ones() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.write_all(b"open").await.unwrap();
    assert_eq!(&response(&mut socket).await.unwrap(), b"open");
    proxy.reset();
    assert!(response(&mut socket).await.is_err());

    let mut next = TcpStream::connect(proxy.address()).await.unwrap();
    next.write_all(b"next").await.unwrap();
    assert_eq!(&response(&mut next).await.unwrap(), b"next");
    proxy.set(Faults {
        refuses_connections: true,
        ..Faults::default()
    });
    let mut refused = TcpStream::connect(proxy.address()).await.unwrap();
    let _sent = refused.write_all(b"late").await;
    assert!(response(&mut refused).await.is_err());
    next.write_all(b"kept").await.unwrap();
    assert_eq!(&response(&mut next).await.unwrap(), b"kept");
}

#[tokio::test]
async fn latency_does_not_add_up_over_chunks() {
    const PIECES: u32 = 20;
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.set_nodelay(true).unwrap();
    proxy.set(Faults {
        to_server: DirectionFaults::slow(LONG / 60),
        ..Faults::default()
    });
    let started = Instant::now();
    let (mut reads, mut writes) = socket.split();
    let sending = async {
        for _ in 0..PIECES {
            writes.write_all(b"word").await.unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let mut received = [0; 80];
    let receiving = timeout(LONG, reads.read_exact(&mut received));
    let ((), all) = tokio::join!(sending, receiving);
    all.unwrap().unwrap();
    // Sequential delays would take ten seconds.
    assert!(started.elapsed() < LONG / 60 * PIECES);
}

#[tokio::test]
async fn lost_data_is_retransmitted_later() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    proxy.set(Faults {
        to_server: DirectionFaults {
            one_lost_in: NonZeroU32::new(3),
            ..DirectionFaults::default()
        },
        ..Faults::default()
    });
    let started = Instant::now();
    for _ in 0..3 {
        socket.write_all(b"word").await.unwrap();
        assert_eq!(&response(&mut socket).await.unwrap(), b"word");
    }
    assert!(started.elapsed() >= BRIEFLY);
}

#[tokio::test]
async fn an_abandoned_connection_stays_silent_and_a_new_one_works() {
    let proxy = before_an_echo().await;
    let mut old = TcpStream::connect(proxy.address()).await.unwrap();
    old.write_all(b"open").await.unwrap();
    assert_eq!(&response(&mut old).await.unwrap(), b"open");
    proxy.abandon();
    proxy.clear();
    old.write_all(b"lost").await.unwrap();
    let mut received = [0; 4];
    assert!(
        timeout(BRIEFLY, old.read_exact(&mut received))
            .await
            .is_err(),
        "neither a response nor an end"
    );
    let mut new = TcpStream::connect(proxy.address()).await.unwrap();
    new.write_all(b"next").await.unwrap();
    assert_eq!(&response(&mut new).await.unwrap(), b"next");
    assert_eq!(proxy.connections(), 2);
}

#[tokio::test]
async fn injected_bytes_reach_the_server() {
    let proxy = before_an_echo().await;
    let mut socket = TcpStream::connect(proxy.address()).await.unwrap();
    socket.write_all(b"mine").await.unwrap();
    assert_eq!(&response(&mut socket).await.unwrap(), b"mine");
    proxy.inject(b"alien");
    let mut received = [0; 5];
    timeout(LONG, socket.read_exact(&mut received))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(&received, b"alien");
}
