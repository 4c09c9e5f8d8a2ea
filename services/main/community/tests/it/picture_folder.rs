//! Pictures in a local folder: what is left of them, and a disk that is full.

use std::path::{Path, PathBuf};

use community::MIGRATOR;
use community::pictures::Size;
use community::pictures::files::Files;
use futures_util::future::join_all;
use proto::community::v1::PictureSize;
use sqlx::PgPool;
use tonic::Code;
use uuid::Uuid;

use crate::made_pictures::jpeg;
use crate::world::{MEMBER, World, reason};

/// A folder of one test, which is gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("seedup-files-{}", Uuid::new_v4().simple())))
    }

    fn files(&self, min_free_bytes: u64) -> Files {
        Files::open(&format!("file://{}", self.0.display()), min_free_bytes).unwrap()
    }

    /// Where the files of a picture are.
    fn of(&self, id: &str) -> PathBuf {
        self.0.join(&id[..3]).join(id)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _missing = std::fs::remove_dir_all(&self.0);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nothing_of_a_removed_picture_is_left(pool: PgPool) {
    let folder = Folder::new();
    let world = World::with_files(pool, folder.files(0)).await;
    let (gone, kept) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    assert_eq!(names(&folder.of(&gone)), ["1920.jpg", "446.jpg"]);
    // What a crash leaves in the middle of a write.
    std::fs::write(folder.of(&gone).join("1920.jpg#1"), b"half").unwrap();
    world.delete_picture(MEMBER, &gone).await.unwrap();
    world.work().await;
    assert!(!folder.of(&gone).exists());
    assert_eq!(world.count("select count(*) from picture").await, 1);
    world.file(&kept, PictureSize::Full).await.unwrap();
    // Again, as after a crash before its row was forgotten.
    let id = Uuid::parse_str(&gone).unwrap();
    world.files.remove(id).await.unwrap();
}

#[tokio::test]
async fn removal_spares_files_on_their_way_into_the_same_folder() {
    let folder = Folder::new();
    let files = folder.files(0);
    // All below one folder, which is empty time and again.
    let id = |number: u128| Uuid::from_u128((0xabc_u128 << 116) | number);
    for round in 0..20 {
        let (old, new) = (id(2 * round), id(2 * round + 1));
        files.write(old, Size::Full, vec![1]).await.unwrap();
        let writes = Size::ALL.map(|size| files.write(new, size, vec![1; 10_000]));
        let (removed, written) = tokio::join!(files.remove(old), join_all(writes));
        removed.unwrap();
        assert!(written.iter().all(Result::is_ok), "{written:?}");
        for size in Size::ALL {
            let found = files.read(new, size).await.unwrap();
            assert_eq!(found.unwrap().length, 10_000);
        }
        files.remove(new).await.unwrap();
    }
    assert_eq!(names(&folder.0.join("abc")), Vec::<String>::new());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_full_disk_takes_no_pictures_and_still_shows_them(pool: PgPool) {
    let folder = Folder::new();
    let world = World::with_files(pool.clone(), folder.files(1)).await;
    let picture = world.picture(MEMBER).await;
    let full = World::with_files(pool, folder.files(u64::MAX)).await;
    let refused = full.upload(MEMBER, &jpeg(60, 40)).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(
        refused.message(),
        "지금은 사진을 다룰 수 없어요. 조금 뒤에 다시 시도해주세요"
    );
    assert_eq!(reason::<()>(Err(refused)), "UNAVAILABLE");
    assert_eq!(full.count("select count(*) from picture").await, 1);
    assert!(full.is_shown(&picture).await);
    full.delete_picture(MEMBER, &picture).await.unwrap();
    full.work().await;
    assert!(!folder.of(&picture).exists());
}
