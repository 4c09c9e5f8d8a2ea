//! A minimal websocket parser: texts are passed on or skipped, pings are answered.

const TEXT: u8 = 1;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The frames of one socket, assembled from reads of any size.
pub(crate) struct Frames {
    reads_texts: bool,
    partial: Vec<u8>,
    /// Remaining bytes of a skipped text.
    skipped: usize,
}

impl Frames {
    /// With `reads_texts` false, texts are skipped.
    pub(crate) fn new(reads_texts: bool) -> Self {
        Self {
            reads_texts,
            partial: Vec::new(),
            skipped: 0,
        }
    }

    /// Parses a read; passes texts to `text` and returns the bytes to send back.
    pub(crate) fn take(&mut self, mut piece: &[u8], mut text: impl FnMut(&str)) -> Vec<u8> {
        let mut answers = Vec::new();
        loop {
            let passed = self.skipped.min(piece.len());
            self.skipped -= passed;
            piece = piece.get(passed..).unwrap_or_default();
            let Some((first, rest)) = piece.split_first() else {
                return answers;
            };
            let Some((kind, header, length)) = header(&self.partial) else {
                self.partial.push(*first);
                piece = rest;
                // A frame without payload ends with its header.
                self.finish(&mut answers, &mut text);
                continue;
            };
            let missing = (header + length - self.partial.len()).min(piece.len());
            let (mine, others) = piece.split_at(missing);
            self.partial.extend_from_slice(mine);
            piece = others;
            debug_assert!(kind != TEXT || self.reads_texts);
            self.finish(&mut answers, &mut text);
        }
    }

    /// Handles the current frame if it is complete.
    fn finish(&mut self, answers: &mut Vec<u8>, text: &mut impl FnMut(&str)) {
        let Some((kind, header, length)) = header(&self.partial) else {
            return;
        };
        if kind == TEXT && !self.reads_texts {
            self.skipped = length;
            self.partial.clear();
        } else if self.partial.len() >= header + length {
            let payload = self.partial.get(header..).unwrap_or_default();
            match kind {
                TEXT => text(&String::from_utf8_lossy(payload)),
                PING => answers.extend(masked(PONG, payload)),
                _ => {}
            }
            self.partial.clear();
        }
    }
}

/// A client frame, masked with zeros.
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

/// Opcode, header length and payload length. Server frames have no mask.
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
