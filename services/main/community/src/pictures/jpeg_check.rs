//! Whether a JPEG is whole and worth decoding. The decoder fills what is missing with grey, and
//! reads any number of scans, each of which costs a pass over the whole picture.

const MARKER: u8 = 0xff;
const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;
/// Markers without a length.
const TEMPORARY: u8 = 0x01;
const RESTARTS: std::ops::RangeInclusive<u8> = 0xd0..=0xd7;
/// Progressive encoders write about ten.
const MAX_SCANS: u32 = 32;

/// Follows the segments up to the end of the image. What comes after it is ignored.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(&[MARKER, START_OF_IMAGE]) else {
        return false;
    };
    let mut scans = 0;
    while let Some((kind, after)) = next_marker(rest) {
        rest = after;
        match kind {
            END_OF_IMAGE => return scans > 0,
            TEMPORARY => {}
            kind if RESTARTS.contains(&kind) => {}
            kind => {
                scans += u32::from(kind == START_OF_SCAN);
                let Some(after) = skip_segment(rest).filter(|_| scans <= MAX_SCANS) else {
                    return false;
                };
                rest = after;
            }
        }
    }
    false
}

/// The kind of the next marker and what follows it; entropy-coded data before it is passed over.
fn next_marker(mut rest: &[u8]) -> Option<(u8, &[u8])> {
    loop {
        let start = rest.iter().position(|byte| *byte == MARKER)?;
        rest = rest.get(start + 1..)?;
        match rest.split_first()? {
            // A stuffed byte of the data, or a fill byte before a marker.
            (&0 | &MARKER, _) => {}
            (&kind, after) => return Some((kind, after)),
        }
    }
}

fn skip_segment(rest: &[u8]) -> Option<&[u8]> {
    let length = u16::from_be_bytes(*rest.first_chunk()?);
    rest.get(usize::from(length).max(2)..)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = &[0xff, 0xd8, 0xff, 0xe1, 0, 6, 0xff, 0xd9, 1, 2];
    const SCAN: &[u8] = &[0xff, 0xda, 0, 2, 5, 0xff, 0, 7, 0xff, 0xd0, 9];
    const END: &[u8] = &[0xff, 0xd9];

    #[test]
    fn an_image_ends_with_its_marker_outside_of_segments() {
        assert!(is_whole(&[HEAD, SCAN, SCAN, END].concat()));
        assert!(is_whole(&[HEAD, SCAN, END, b"PK\x03\x04"].concat()));
        for broken in [
            vec![],
            HEAD.to_vec(),
            [HEAD, SCAN].concat(),
            [HEAD, END].concat(),
            [SCAN, END].concat(),
            [HEAD, SCAN, &[0xff, 0xe1, 0xff, 0xff]].concat(),
            [HEAD, SCAN, &[0xff]].concat(),
        ] {
            assert!(!is_whole(&broken), "{broken:?}");
        }
    }

    #[test]
    fn endless_scans_are_refused() {
        let many = [HEAD, &SCAN.repeat(32), END].concat();
        assert!(is_whole(&many));
        let more = [HEAD, &SCAN.repeat(33), END].concat();
        assert!(!is_whole(&more));
    }
}
