//! Files in a bucket: what a server that speaks S3 is asked, against a double of one.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use community::pictures::Size;
use community::pictures::files::{Copied, Files};
use futures_util::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;

#[derive(Default)]
struct Bucket {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    /// Answered with an error of the server.
    failures: Mutex<u32>,
}

struct Asked {
    method: String,
    path: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

async fn asked(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    reader
        .read_line(&mut line)
        .await
        .ok()
        .filter(|read| *read > 0)?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length");
    let length = length.map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.ok()?;
    Some(Asked {
        method,
        path,
        headers,
        body,
    })
}

impl Bucket {
    fn answer(&self, asked: Asked) -> (&'static str, Vec<u8>) {
        let header = |name: &str| asked.headers.get(name).cloned().unwrap_or_default();
        let authorization = header("authorization");
        let is_signed = authorization.starts_with("AWS4-HMAC-SHA256 Credential=key/")
            && authorization.contains("/somewhere/s3/aws4_request")
            && authorization.contains("Signature=");
        if !is_signed || header("x-amz-date").is_empty() {
            return ("403 Forbidden", Vec::new());
        }
        let mut failures = self.failures.lock();
        if *failures > 0 {
            *failures -= 1;
            return ("500 Internal Server Error", Vec::new());
        }
        let mut objects = self.objects.lock();
        if let Some((_, query)) = asked.path.split_once('?') {
            assert!(asked.method == "GET" && query.contains("list-type=2"));
            return ("200 OK", listed(&objects, query));
        }
        match asked.method.as_str() {
            "PUT" => {
                assert!(!header("x-amz-content-sha256").is_empty());
                objects.insert(asked.path, asked.body);
                ("200 OK", Vec::new())
            }
            "GET" | "HEAD" => match objects.get(&asked.path) {
                Some(bytes) => ("200 OK", bytes.clone()),
                None => (
                    "404 Not Found",
                    b"<Error><Code>NoSuchKey</Code></Error>".to_vec(),
                ),
            },
            "DELETE" => {
                objects.remove(&asked.path);
                ("204 No Content", Vec::new())
            }
            other => panic!("nobody asks {other}"),
        }
    }
}

/// Three objects of a list with those of a folder, which begins behind the one that the query names.
fn listed(objects: &BTreeMap<String, Vec<u8>>, query: &str) -> Vec<u8> {
    let query = query.replace("%2F", "/");
    let parameter = |name: &str| {
        let value = query.split('&').find_map(|part| part.strip_prefix(name));
        value.map_or_else(String::new, ToOwned::to_owned)
    };
    let prefix = format!("/pictures/{}", parameter("prefix="));
    let after = parameter("continuation-token=");
    let found = objects.iter();
    let found = found.filter(|(name, _)| name.starts_with(&prefix) && **name > after);
    let mut page: Vec<_> = found.take(4).collect();
    let is_last = page.len() < 4;
    page.truncate(3);
    let mut text = format!("<ListBucketResult><IsTruncated>{}</IsTruncated>", !is_last);
    for (name, bytes) in &page {
        let (key, size) = (name.strip_prefix("/pictures/").unwrap(), bytes.len());
        text += &format!(
            "<Contents><Key>{key}</Key><Size>{size}</Size>\
             <LastModified>2026-12-01T00:00:00.000Z</LastModified></Contents>"
        );
    }
    if !is_last {
        let next = page.last().unwrap().0;
        text += &format!("<NextContinuationToken>{next}</NextContinuationToken>");
    }
    (text + "</ListBucketResult>").into_bytes()
}

async fn serve(bucket: Arc<Bucket>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let bucket = Arc::clone(&bucket);
            tokio::spawn(async move {
                let mut reader = BufReader::new(stream);
                while let Some(asked) = asked(&mut reader).await {
                    let is_head = asked.method == "HEAD";
                    let (status, body) = bucket.answer(asked);
                    let head = format!(
                        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"1\"\r\n\
                         Last-Modified: Tue, 01 Dec 2026 00:00:00 GMT\r\n\r\n",
                        body.len()
                    );
                    let body = if is_head { &body[..0] } else { &body[..] };
                    let answer = [head.as_bytes(), body].concat();
                    if reader.get_mut().write_all(&answer).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    url
}

async fn files(bucket: &Arc<Bucket>) -> Files {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let access = AmazonS3Builder::new()
        .with_endpoint(serve(Arc::clone(bucket)).await)
        .with_region("somewhere")
        .with_access_key_id("key")
        .with_secret_access_key("secret");
    Files::in_bucket(access, "pictures/of/seedup").unwrap()
}

async fn read(files: &Files, id: Uuid, size: Size) -> Option<Vec<u8>> {
    let file = files.read(id, size).await.unwrap()?;
    let chunks: Vec<_> = file.chunks.try_collect().await.unwrap();
    let bytes = chunks.concat();
    assert_eq!(u64::try_from(bytes.len()).unwrap(), file.length);
    Some(bytes)
}

#[tokio::test]
async fn files_are_kept_in_a_bucket_by_signed_requests() {
    let bucket = Arc::new(Bucket::default());
    let files = files(&bucket).await;
    let id = Uuid::new_v4();
    assert_eq!(read(&files, id, Size::Full).await, None);
    files.write(id, Size::Full, vec![7; 100_000]).await.unwrap();
    files.write(id, Size::Thumb, vec![8; 10]).await.unwrap();
    let name = id.simple().to_string();
    let folder = format!("/pictures/of/seedup/{}/{name}", &name[..3]);
    let kept: Vec<String> = bucket.objects.lock().keys().cloned().collect();
    assert_eq!(
        kept,
        [format!("{folder}/1920.jpg"), format!("{folder}/446.jpg")]
    );
    assert_eq!(read(&files, id, Size::Full).await, Some(vec![7; 100_000]));
    assert_eq!(read(&files, id, Size::Thumb).await, Some(vec![8; 10]));
    for _ in 0..2 {
        files.remove(id).await.unwrap();
    }
    assert!(bucket.objects.lock().is_empty());
}

#[tokio::test]
async fn a_bucket_that_fails_for_a_moment_is_asked_again_and_one_that_goes_on_is_not() {
    let bucket = Arc::new(Bucket::default());
    let files = files(&bucket).await;
    let id = Uuid::new_v4();
    *bucket.failures.lock() = 1;
    files.write(id, Size::Thumb, vec![8; 10]).await.unwrap();
    *bucket.failures.lock() = 100;
    assert!(files.write(id, Size::Full, vec![7; 10]).await.is_err());
    assert!(files.read(id, Size::Thumb).await.is_err());
    assert!(files.remove(id).await.is_err());
}

fn folder() -> (PathBuf, Files) {
    let folder = std::env::temp_dir().join(format!("seedup-files-{}", Uuid::new_v4()));
    let files = Files::open(&format!("file://{}", folder.display()), 0).unwrap();
    (folder, files)
}

#[tokio::test]
async fn all_files_of_a_bucket_are_copied_into_a_folder_and_back() {
    let bucket = Arc::new(Bucket::default());
    let in_bucket = files(&bucket).await;
    let (path, in_folder) = folder();
    let none = in_bucket.copy_to(&in_folder).await.unwrap();
    assert_eq!(none, Copied::default());
    let ids: Vec<Uuid> = (0..20).map(|_| Uuid::new_v4()).collect();
    for (id, length) in ids.iter().zip(1..) {
        for size in Size::ALL {
            in_bucket.write(*id, size, vec![7; length]).await.unwrap();
        }
    }
    // Of somebody else.
    let other = "/pictures/of/seedup2/abc/x/446.jpg".to_owned();
    bucket.objects.lock().insert(other.clone(), vec![1]);
    let all = Copied {
        copied: 40,
        present: 0,
    };
    assert_eq!(in_bucket.copy_to(&in_folder).await.unwrap(), all);
    // One that was cut short, and one that is missing: the others are not written again.
    let cut = path.join(&ids[0].simple().to_string()[..3]);
    let cut = cut.join(ids[0].simple().to_string()).join("1920.jpg");
    std::fs::write(cut, b"").unwrap();
    in_folder.remove(ids[1]).await.unwrap();
    let again = Copied {
        copied: 3,
        present: 37,
    };
    assert_eq!(in_bucket.copy_to(&in_folder).await.unwrap(), again);

    let before = std::mem::take(&mut *bucket.objects.lock());
    assert_eq!(in_folder.copy_to(&in_bucket).await.unwrap(), all);
    let mut restored = bucket.objects.lock().clone();
    restored.insert(other, vec![1]);
    assert_eq!(restored, before);
    *bucket.failures.lock() = 100;
    assert!(in_bucket.copy_to(&in_folder).await.is_err());
    std::fs::remove_dir_all(path).unwrap();
}

#[tokio::test]
async fn files_are_kept_in_a_folder_that_is_made() {
    let folder = std::env::temp_dir().join(format!("seedup-files-{}", Uuid::new_v4()));
    let files = Files::open(&format!("file://{}/of/pictures", folder.display()), 0).unwrap();
    let id = Uuid::new_v4();
    files.write(id, Size::Thumb, vec![8; 10]).await.unwrap();
    assert_eq!(read(&files, id, Size::Thumb).await, Some(vec![8; 10]));
    files.remove(id).await.unwrap();
    files.remove(id).await.unwrap();
    assert_eq!(read(&files, id, Size::Thumb).await, None);
    std::fs::remove_dir_all(folder).unwrap();
    for bad in ["", "/a/folder", "http://a.example", "s3", "ftp://x"] {
        assert!(Files::open(bad, 0).is_err(), "{bad}");
    }
}
