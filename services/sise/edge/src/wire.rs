//! Websocket framing on a TCP stream. Buffers exist only while a frame is incomplete or being
//! written, so an idle socket holds none.

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

/// Read size; client frames are much shorter.
const READ_BYTES: usize = 2_048;
const RESERVED_FLAGS: u8 = 0x70;
/// A longer buffer is not kept for the next frame.
const MAX_KEPT_BYTES: usize = 64 * 1_024;
/// Time for the client to read the close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

thread_local! {
    /// Buffer in which frames are assembled.
    static FRAMES: RefCell<BytesMut> = RefCell::default();
}

/// A frame from the client; `Text` is a complete message.
#[derive(Debug)]
pub(crate) enum ClientFrame {
    Text(String),
    /// A fragment of a text that is not complete yet.
    Fragment,
    Binary,
    Ping(Bytes),
    Pong(Bytes),
    Close,
}

/// Splits a connection after its handshake. `unread` holds bytes that arrived with it.
pub(crate) fn split(stream: TcpStream, unread: BytesMut) -> (SocketWriter, SocketReader) {
    let stream = Rc::new(stream);
    let writer = SocketWriter {
        stream: Rc::clone(&stream),
        is_truncated: false,
    };
    let reader = SocketReader {
        stream,
        codec: Codec::new().max_size(MAX_FRAME_BYTES),
        unread,
        fragments: None,
    };
    (writer, reader)
}

pub(crate) struct SocketReader {
    stream: Rc<TcpStream>,
    codec: Codec,
    unread: BytesMut,
    /// The fragments received so far.
    fragments: Option<Vec<u8>>,
}

impl Stream for SocketReader {
    type Item = Result<ClientFrame, ProtocolError>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<ClientFrame, ProtocolError>>> {
        let this = &mut *self;
        loop {
            if let Some(frame) = this.next_frame()? {
                return Poll::Ready(Some(this.decode_frame(frame)));
            }
            if this.unread.is_empty() {
                this.unread = BytesMut::new();
            }
            ready!(this.stream.poll_read_ready(context)).map_err(ProtocolError::Io)?;
            let mut piece = [0; READ_BYTES];
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

impl SocketReader {
    /// The first frame in the buffer, if it is complete.
    fn next_frame(&mut self) -> Result<Option<Frame>, ProtocolError> {
        let Some(first) = self.unread.first() else {
            return Ok(None);
        };
        // The reserved bits belong to extensions, and none is negotiated.
        if first & RESERVED_FLAGS != 0 {
            return Err(ProtocolError::BadOpCode);
        }
        // The codec would wait for the whole frame.
        if payload_length(&self.unread) > MAX_FRAME_BYTES {
            return Err(ProtocolError::Overflow);
        }
        self.codec.decode(&mut self.unread)
    }

    fn decode_frame(&mut self, frame: Frame) -> Result<ClientFrame, ProtocolError> {
        let frame = match frame {
            Frame::Text(text) => ClientFrame::Text(utf8(text.into())?),
            Frame::Binary(_) | Frame::Continuation(Item::FirstBinary(_)) => ClientFrame::Binary,
            Frame::Ping(payload) => ClientFrame::Ping(payload),
            Frame::Pong(payload) => ClientFrame::Pong(payload),
            Frame::Close(_) => ClientFrame::Close,
            Frame::Continuation(Item::FirstText(part)) => {
                self.fragments = Some(part.into());
                ClientFrame::Fragment
            }
            Frame::Continuation(Item::Continue(part)) => {
                self.append_fragment(&part)?;
                ClientFrame::Fragment
            }
            Frame::Continuation(Item::Last(part)) => {
                self.append_fragment(&part)?;
                ClientFrame::Text(utf8(self.fragments.take().unwrap_or_default())?)
            }
        };
        Ok(frame)
    }

    fn append_fragment(&mut self, part: &[u8]) -> Result<(), ProtocolError> {
        let fragments = self.fragments.get_or_insert_default();
        if fragments.len() + part.len() > MAX_FRAME_BYTES {
            return Err(ProtocolError::Overflow);
        }
        fragments.extend_from_slice(part);
        Ok(())
    }
}

/// The payload length in the header of the first frame; 0 while the header is incomplete.
fn payload_length(unread: &[u8]) -> usize {
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

fn utf8(text: Vec<u8>) -> Result<String, ProtocolError> {
    String::from_utf8(text)
        .map_err(|error| ProtocolError::Io(io::Error::new(io::ErrorKind::InvalidData, error)))
}

pub(crate) struct SocketWriter {
    stream: Rc<TcpStream>,
    /// A frame was written in part; nothing can follow it.
    is_truncated: bool,
}

impl SocketWriter {
    /// Sends the texts and the ping in one write.
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

    /// Sends a close frame and waits until the client closes or the timeout ends. Closing a socket
    /// with unread input would reset it, and the client could lose the last frames.
    pub(crate) async fn close(mut self, close: Close) -> io::Result<()> {
        if self.is_truncated {
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
        let peer_closed = async {
            loop {
                self.stream.readable().await?;
                match self.stream.try_read(&mut [0; READ_BYTES]) {
                    Ok(0) => return Ok(()),
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            }
        };
        tokio::time::timeout(CLOSE_TIMEOUT, peer_closed)
            .await
            .unwrap_or(Ok(()))
    }

    async fn send(&mut self, fill: impl FnOnce(&mut BytesMut)) -> io::Result<()> {
        let rest = self.try_send(fill)?;
        let mut rest = rest.as_slice();
        self.is_truncated = !rest.is_empty();
        while !rest.is_empty() {
            self.stream.writable().await?;
            let written = self.try_write(rest)?;
            rest = rest.get(written..).unwrap_or_default();
        }
        self.is_truncated = false;
        Ok(())
    }

    /// Returns what the kernel did not accept.
    fn try_send(&self, fill: impl FnOnce(&mut BytesMut)) -> io::Result<Vec<u8>> {
        FRAMES.with_borrow_mut(|frames| {
            frames.clear();
            fill(frames);
            let written = self.try_write(frames)?;
            let rest = frames.get(written..).unwrap_or_default().to_vec();
            if frames.capacity() > MAX_KEPT_BYTES {
                *frames = BytesMut::new();
            }
            Ok(rest)
        })
    }

    /// Returns how many bytes the kernel accepts now.
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(0),
            other => other,
        }
    }
}

fn frame(frames: &mut BytesMut, payload: &[u8], kind: OpCode) {
    Parser::write_message(frames, payload, kind, true, false);
}
