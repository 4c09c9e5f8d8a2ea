use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const OPEN_WITHIN: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

pub(crate) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Connection {
    /// Retries while the server refuses connections.
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let opening = async {
            loop {
                if let Ok(stream) = TcpStream::connect(address).await {
                    return stream;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let stream = tokio::time::timeout(OPEN_WITHIN, opening).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            read: Vec::new(),
        }
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> Result<Answer, Error> {
        self.stream.write_all(request).await?;
        self.read.clear();
        loop {
            if let Some(answer) = self.whole_answer()? {
                return Ok(answer);
            }
            if self.stream.read_buf(&mut self.read).await? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    fn whole_answer(&self) -> Result<Option<Answer>, Error> {
        let Some(end) = find(&self.read, b"\r\n\r\n") else {
            return Ok(None);
        };
        let (head, rest) = self.read.split_at(end + 4);
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head.get(9..12).and_then(|text| text.parse().ok());
        let status = status.ok_or(ErrorKind::InvalidData)?;
        let length = head
            .split("\r\n")
            .find_map(|line| line.strip_prefix("content-length: "));
        let body = match length {
            Some(length) => {
                let length: usize = length
                    .trim()
                    .parse()
                    .map_err(|_garbage| ErrorKind::InvalidData)?;
                rest.get(..length).map(<[u8]>::to_vec)
            }
            None if head.contains("transfer-encoding: chunked") => {
                rest.ends_with(b"\r\n0\r\n\r\n").then(|| rest.to_vec())
            }
            None => Some(Vec::new()),
        };
        Ok(body.map(|body| Answer { status, body }))
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
