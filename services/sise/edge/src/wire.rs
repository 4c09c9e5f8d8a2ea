//! A websocket on a bare TCP connection. What is read lives in a buffer only until it is
//! understood, and what is written only until the kernel has taken it, so a socket on which
//! nothing is under way keeps no buffer at all.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_codec::Decoder;
use actix_http::ws::{CloseCode, CloseReason, Codec, Frame, Item, OpCode, Parser, ProtocolError};
use actix_web::rt::net::TcpStream;
use actix_web::web::{Bytes, BytesMut};
use futures_util::Stream;

use crate::protocol::{Close, MAX_FRAME_BYTES};

/// What is read at once; frames of clients are far shorter.
const PIECE: usize = 2_048;
const RESERVED_FLAGS: u8 = 0x70;
/// A frame of prices fits; what was longer is given back.
const SCRATCH: usize = 64 * 1_024;
/// How long a client has to read a close frame before the connection ends.
const GOODBYE: Duration = Duration::from_secs(2);

thread_local! {
    /// Where frames are put together before they are written.
    static FRAMES: RefCell<BytesMut> = RefCell::default();
}

/// What came from the client: a whole message, or a part of one.
#[derive(Debug)]
pub(crate) enum Heard {
    Text(String),
    /// The beginning or the middle of a text that comes in several frames.
    Part,
    Binary,
    Ping(Bytes),
    Pong(Bytes),
    Close,
}

/// Both halves of a websocket whose handshake is done; `unread` came right behind it.
pub(crate) fn socket(stream: TcpStream, unread: BytesMut) -> (Outgoing, Incoming) {
    let stream = Rc::new(stream);
    let outgoing = Outgoing {
        stream: Rc::clone(&stream),
        is_cut: false,
    };
    let incoming = Incoming {
        stream,
        codec: Codec::new().max_size(MAX_FRAME_BYTES),
        unread,
        begun: None,
    };
    (outgoing, incoming)
}

/// The receiving half.
pub(crate) struct Incoming {
    stream: Rc<TcpStream>,
    codec: Codec,
    unread: BytesMut,
    /// A text that comes in several frames.
    begun: Option<Vec<u8>>,
}

impl Stream for Incoming {
    type Item = Result<Heard, ProtocolError>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Heard, ProtocolError>>> {
        let this = &mut *self;
        loop {
            if let Some(frame) = this.next_frame()? {
                return Poll::Ready(Some(this.hear(frame)));
            }
            if this.unread.is_empty() {
                this.unread = BytesMut::new();
            }
            ready!(this.stream.poll_read_ready(context)).map_err(ProtocolError::Io)?;
            let mut piece = [0; PIECE];
            match this.stream.try_read(&mut piece) {
                Ok(0) => return Poll::Ready(None),
                Ok(length) => this
                    .unread
                    .extend_from_slice(piece.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Some(Err(ProtocolError::Io(error)))),
            }
        }
    }
}

impl Incoming {
    /// The first frame in what is unread, once all of it has come.
    fn next_frame(&mut self) -> Result<Option<Frame>, ProtocolError> {
        let Some(first) = self.unread.first() else {
            return Ok(None);
        };
        // They belong to extensions, and none was agreed on.
        if first & RESERVED_FLAGS != 0 {
            return Err(ProtocolError::BadOpCode);
        }
        // The codec would wait for all of it.
        if claimed_length(&self.unread) > MAX_FRAME_BYTES {
            return Err(ProtocolError::Overflow);
        }
        self.codec.decode(&mut self.unread)
    }

    fn hear(&mut self, frame: Frame) -> Result<Heard, ProtocolError> {
        let heard = match frame {
            Frame::Text(text) => Heard::Text(readable(text.into())?),
            Frame::Binary(_) | Frame::Continuation(Item::FirstBinary(_)) => Heard::Binary,
            Frame::Ping(payload) => Heard::Ping(payload),
            Frame::Pong(payload) => Heard::Pong(payload),
            Frame::Close(_) => Heard::Close,
            Frame::Continuation(Item::FirstText(part)) => {
                self.begun = Some(part.into());
                Heard::Part
            }
            Frame::Continuation(Item::Continue(part)) => {
                self.go_on(&part)?;
                Heard::Part
            }
            Frame::Continuation(Item::Last(part)) => {
                self.go_on(&part)?;
                Heard::Text(readable(self.begun.take().unwrap_or_default())?)
            }
        };
        Ok(heard)
    }

    fn go_on(&mut self, part: &[u8]) -> Result<(), ProtocolError> {
        let begun = self.begun.get_or_insert_default();
        if begun.len() + part.len() > MAX_FRAME_BYTES {
            return Err(ProtocolError::Overflow);
        }
        begun.extend_from_slice(part);
        Ok(())
    }
}

/// How long the payload of the first frame in `unread` is, as its header says; 0 while that has
/// not come yet.
fn claimed_length(unread: &[u8]) -> usize {
    let Some((_, [second, rest @ ..])) = unread.split_first() else {
        return 0;
    };
    match second & 0x7f {
        126 => rest
            .first_chunk()
            .map_or(0, |length| u16::from_be_bytes(*length).into()),
        127 => rest.first_chunk().map_or(0, |length| {
            usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX)
        }),
        length => length.into(),
    }
}

fn readable(text: Vec<u8>) -> Result<String, ProtocolError> {
    String::from_utf8(text)
        .map_err(|error| ProtocolError::Io(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// The sending half.
pub(crate) struct Outgoing {
    stream: Rc<TcpStream>,
    /// A frame was begun and not finished: nothing can follow it.
    is_cut: bool,
}

impl Outgoing {
    /// Sends texts and behind them a ping, in one piece.
    pub(crate) async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> io::Result<()> {
        self.send(|frames| {
            for text in texts {
                frame(frames, text.as_bytes(), OpCode::Text);
            }
            frame(frames, ping, OpCode::Ping);
        })
        .await
    }

    pub(crate) async fn text(&mut self, text: &str) -> io::Result<()> {
        self.send(|frames| frame(frames, text.as_bytes(), OpCode::Text))
            .await
    }

    pub(crate) async fn pong(&mut self, payload: &[u8]) -> io::Result<()> {
        self.send(|frames| frame(frames, payload, OpCode::Pong))
            .await
    }

    /// Says goodbye and waits until the client has hung up, or for a while: a connection that is
    /// ended while something of the client is unread takes back what it was sent last.
    pub(crate) async fn close(mut self, close: Close) -> io::Result<()> {
        if self.is_cut {
            return Ok(());
        }
        let reason = CloseReason {
            code: CloseCode::Other(close.code()),
            description: Some(close.reason().to_owned()),
        };
        self.send(|frames| Parser::write_close(frames, Some(reason), false))
            .await?;
        let socket = socket2::SockRef::from(&*self.stream);
        socket.shutdown(std::net::Shutdown::Write)?;
        let hung_up = async {
            loop {
                self.stream.readable().await?;
                match self.stream.try_read(&mut [0; PIECE]) {
                    Ok(0) => return Ok(()),
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            }
        };
        tokio::time::timeout(GOODBYE, hung_up)
            .await
            .unwrap_or(Ok(()))
    }

    async fn send(&mut self, fill: impl FnOnce(&mut BytesMut)) -> io::Result<()> {
        let rest = self.send_at_once(fill)?;
        let mut rest = rest.as_slice();
        self.is_cut = !rest.is_empty();
        while !rest.is_empty() {
            self.stream.writable().await?;
            let taken = self.take(rest)?;
            rest = rest.get(taken..).unwrap_or_default();
        }
        self.is_cut = false;
        Ok(())
    }

    /// What the kernel did not take.
    fn send_at_once(&self, fill: impl FnOnce(&mut BytesMut)) -> io::Result<Vec<u8>> {
        FRAMES.with_borrow_mut(|frames| {
            frames.clear();
            fill(frames);
            let taken = self.take(frames)?;
            let rest = frames.get(taken..).unwrap_or_default().to_vec();
            if frames.capacity() > SCRATCH {
                *frames = BytesMut::new();
            }
            Ok(rest)
        })
    }

    /// How much of `bytes` the kernel takes now.
    fn take(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            other => other,
        }
    }
}

fn frame(frames: &mut BytesMut, payload: &[u8], kind: OpCode) {
    Parser::write_message(frames, payload, kind, true, false);
}
