//! Websocket frames as a client needs them: texts to read or to skip, and pings to answer. The
//! edge sends a ping after each frame of prices and the next frame when it is answered.

const TEXT: u8 = 1;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The frames of one socket, put together from pieces.
pub(crate) struct Frames {
    reads_texts: bool,
    /// The header, or the part of a frame that is kept.
    begun: Vec<u8>,
    /// Bytes of a text that are passed over.
    skipped: usize,
}

impl Frames {
    /// Frames of a socket whose texts are read, or only counted off.
    pub(crate) fn new(reads_texts: bool) -> Self {
        Self {
            reads_texts,
            begun: Vec::new(),
            skipped: 0,
        }
    }

    /// Takes a piece; hands texts to `text` and returns what must be sent back.
    pub(crate) fn take(&mut self, mut piece: &[u8], mut text: impl FnMut(&str)) -> Vec<u8> {
        let mut answers = Vec::new();
        loop {
            let passed = self.skipped.min(piece.len());
            self.skipped -= passed;
            piece = piece.get(passed..).unwrap_or_default();
            let Some((first, rest)) = piece.split_first() else {
                return answers;
            };
            let Some((kind, header, length)) = header(&self.begun) else {
                self.begun.push(*first);
                piece = rest;
                // A frame may end with its header.
                self.finish(&mut answers, &mut text);
                continue;
            };
            let missing = (header + length - self.begun.len()).min(piece.len());
            let (mine, others) = piece.split_at(missing);
            self.begun.extend_from_slice(mine);
            piece = others;
            debug_assert!(kind != TEXT || self.reads_texts);
            self.finish(&mut answers, &mut text);
        }
    }

    /// Deals with what has begun, if it is enough.
    fn finish(&mut self, answers: &mut Vec<u8>, text: &mut impl FnMut(&str)) {
        let Some((kind, header, length)) = header(&self.begun) else {
            return;
        };
        if kind == TEXT && !self.reads_texts {
            self.skipped = length;
            self.begun.clear();
        } else if self.begun.len() >= header + length {
            let payload = self.begun.get(header..).unwrap_or_default();
            match kind {
                TEXT => text(&String::from_utf8_lossy(payload)),
                PING => answers.extend(masked(PONG, payload)),
                _ => {}
            }
            self.begun.clear();
        }
    }
}

/// A frame of a client: masked, with zeros.
pub(crate) fn masked_text(text: &str) -> Vec<u8> {
    masked(TEXT, text.as_bytes())
}

fn masked(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x80 | kind];
    match u8::try_from(payload.len()) {
        Ok(short) if short < 126 => frame.push(0x80 | short),
        _ => {
            frame.push(0x80 | 126);
            frame.extend(u16::try_from(payload.len()).unwrap().to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// Kind, length of the header and length of the payload. Servers do not mask.
fn header(bytes: &[u8]) -> Option<(u8, usize, usize)> {
    let kind = bytes.first()? & 0x0f;
    Some(match bytes.get(1)? & 0x7f {
        126 => {
            let length = u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?);
            (kind, 4, usize::from(length))
        }
        127 => {
            let length = u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?);
            (kind, 10, usize::try_from(length).ok()?)
        }
        short => (kind, 2, usize::from(short)),
    })
}
