//! A minimal SMTP server: no encryption, no authentication, no delivery.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::mail_store::MailStore;

/// Bytes.
const MAX_MAIL: usize = 1024 * 1024;
/// Bytes.
const MAX_LINE: u64 = 4 * 1024;
/// A connection without input for this long is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

pub async fn serve(listener: TcpListener, mail_store: MailStore, shutdown: CancellationToken) {
    while let Some(accepted) = shutdown.run_until_cancelled(listener.accept()).await {
        match accepted {
            Ok((socket, _peer)) => {
                let (mail_store, shutdown) = (mail_store.clone(), shutdown.clone());
                tokio::spawn(async move {
                    let session = run_session(socket, &mail_store);
                    if let Some(Err(error)) = shutdown.run_until_cancelled(session).await {
                        tracing::info!(%error, "SMTP session ended early");
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "Connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn run_session(mut socket: TcpStream, mail_store: &MailStore) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let (read, mut write) = socket.split();
    let mut read = BufReader::new(read);
    write.write_all(b"220 mail-sink ESMTP\r\n").await?;
    let (mut has_sender, mut recipients) = (false, 0_u32);
    while let Some(line) = line(&mut read).await? {
        let command = String::from_utf8_lossy(&line).trim().to_ascii_uppercase();
        let verb = command.split([' ', ':']).next().unwrap_or_default();
        let answer: &[u8] = match verb {
            "EHLO" => b"250-mail-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 1048576\r\n",
            "HELO" | "NOOP" => b"250 OK\r\n",
            "MAIL" => {
                (has_sender, recipients) = (true, 0);
                b"250 OK\r\n"
            }
            "RCPT" if has_sender => {
                recipients += 1;
                b"250 OK\r\n"
            }
            "DATA" if recipients > 0 => {
                write.write_all(b"354 End with a single dot\r\n").await?;
                (has_sender, recipients) = (false, 0);
                match content(&mut read).await? {
                    Some(mail) => {
                        mail_store.save(&mail).await?;
                        b"250 Kept\r\n"
                    }
                    None => b"552 The mail is too large\r\n",
                }
            }
            "RSET" => {
                (has_sender, recipients) = (false, 0);
                b"250 OK\r\n"
            }
            "QUIT" => {
                write.write_all(b"221 Bye\r\n").await?;
                return Ok(());
            }
            "RCPT" | "DATA" => b"503 Not in this order\r\n",
            _ => b"502 Not known here\r\n",
        };
        write.write_all(answer).await?;
    }
    Ok(())
}

/// The lines up to the single dot, with dot-stuffing removed; `None` when they exceed [`MAX_MAIL`].
async fn content(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut mail = Vec::new();
    let mut is_too_large = false;
    while let Some(line) = line(read).await? {
        match line.as_slice() {
            b".\r\n" | b".\n" => return Ok((!is_too_large).then_some(mail)),
            _ if mail.len() + line.len() > MAX_MAIL => is_too_large = true,
            [b'.', rest @ ..] => mail.extend_from_slice(rest),
            whole => mail.extend_from_slice(whole),
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

async fn line(read: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut limited = read.take(MAX_LINE);
    let reading = limited.read_until(b'\n', &mut line);
    let length = tokio::time::timeout(IDLE_TIMEOUT, reading)
        .await
        .map_err(|_elapsed| io::Error::from(io::ErrorKind::TimedOut))??;
    Ok((length > 0).then_some(line))
}
