//! Uploading pictures.

use proto::community::v1::UploadPictureRequest;
use proto::community::v1::upload_picture_request::Part;

use super::member::Member;

/// Two by two pixels.
const PNG: &[u8] = b"\
    \x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00\
    \x00\x02\x08\x02\x00\x00\x00\xfd\xd4\x9a\x73\x00\x00\x00\x10\x49\x44\x41\x54\x78\xda\x63\
    \x38\x11\xa0\x01\x44\x0c\x10\x0a\x00\x25\x8e\x05\x01\x41\x32\xde\x47\x00\x00\x00\x00\x49\
    \x45\x4e\x44\xae\x42\x60\x82";
/// That no text has yet; what is unused is limited.
const UNUSED: usize = 6;

impl Member {
    pub(super) async fn upload(&mut self) -> anyhow::Result<()> {
        if self.pictures.len() >= UNUSED {
            return Ok(());
        }
        let parts = [
            Part::MemberId(self.id),
            Part::Chunk(PNG.to_vec()),
            Part::Complete(true),
        ];
        let parts = parts.map(|part| UploadPictureRequest { part: Some(part) });
        let answer = self.api.upload(parts.into()).await?;
        self.acted.count("picture", answer.result.is_ok());
        match answer.result {
            Ok(picture) => self.pictures.push(picture.id),
            // Each try counts, also one whose response was lost.
            Err(reason) if reason == "UPLOAD_LIMIT" => {}
            Err(reason) => self
                .acted
                .record_fault(format!("a picture of {} was refused: {reason}", self.id)),
        }
        Ok(())
    }
}
