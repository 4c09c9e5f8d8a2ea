//! Pictures of every kind, made in code.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use jpeg_encoder::{ColorType, Encoder};

/// Left half red, right half blue, so that its direction shows.
pub(crate) fn halves(width: u32, height: u32) -> DynamicImage {
    let image = RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 {
            Rgb([220, 20, 20])
        } else {
            Rgb([20, 20, 220])
        }
    });
    DynamicImage::ImageRgb8(image)
}

/// Noise, which no encoder makes small.
pub(crate) fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 1_u32;
    let image = RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [one, two, three, _] = state.to_be_bytes();
        Rgb([one, two, three])
    });
    DynamicImage::ImageRgb8(image)
}

pub(crate) fn transparent(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgba8(RgbaImage::from_pixel(width, height, Rgba([0, 0, 0, 0])))
}

pub(crate) fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&halves(width, height), ImageFormat::Jpeg)
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&halves(width, height), ImageFormat::Png)
}

pub(crate) fn webp(width: u32, height: u32) -> Vec<u8> {
    encoded(&halves(width, height), ImageFormat::WebP)
}

pub(crate) fn jpeg_of(color: ColorType, channels: usize, is_progressive: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 90);
    encoder.set_progressive(is_progressive);
    let pixels = vec![90; 64 * 48 * channels];
    encoder.encode(&pixels, 64, 48, color).unwrap();
    bytes
}

/// A JPEG with a segment of metadata behind its start.
pub(crate) fn with_segment(jpeg: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    let (start, rest) = jpeg.split_at(2);
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [start, &[0xff, marker], &length, content, rest].concat()
}

/// Metadata with an orientation, the place where it was taken, and the maker of the camera.
pub(crate) fn exif(orientation: u8) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        let count = count.to_be_bytes();
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count, &value].concat()
    };
    let tiff = [
        b"MM\0*\0\0\0\x08".to_vec(),
        3_u16.to_be_bytes().to_vec(),
        entry(0x010f, 2, 4, *b"CAM\0"),
        entry(0x0112, 3, 1, [0, orientation, 0, 0]),
        entry(0x8825, 4, 1, 50_u32.to_be_bytes()),
        vec![0; 4],
        1_u16.to_be_bytes().to_vec(),
        entry(0x0001, 2, 2, *b"N\0\0\0"),
        vec![0; 4],
    ];
    [b"Exif\0\0".to_vec(), tiff.concat()].concat()
}

/// A chunk of a PNG with its checksum.
pub(crate) fn png_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for byte in kind.iter().chain(content) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = (crc & 1).wrapping_neg();
            crc = (crc >> 1) ^ (0xedb8_8320 & mask);
        }
    }
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&length[..], kind, content, &(!crc).to_be_bytes()].concat()
}

/// A PNG whose header says so, with `data` as its compressed pixels.
pub(crate) fn png_of(width: u32, height: u32, depth: u8, color: u8, data: &[u8]) -> Vec<u8> {
    let header = [
        &width.to_be_bytes()[..],
        &height.to_be_bytes(),
        &[depth, color, 0, 0, 0],
    ];
    let mut chunks = vec![
        b"\x89PNG\r\n\x1a\n".to_vec(),
        png_chunk(b"IHDR", &header.concat()),
    ];
    if color == 3 {
        chunks.push(png_chunk(b"PLTE", &[10, 20, 30, 200, 100, 50]));
    }
    chunks.push(png_chunk(b"IDAT", data));
    chunks.push(png_chunk(b"IEND", &[]));
    chunks.concat()
}

/// Uncompressed data in zlib's form.
pub(crate) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut written = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(65_535).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap();
        written.push(u8::from(blocks.peek().is_none()));
        written.extend(length.to_le_bytes());
        written.extend((!length).to_le_bytes());
        written.extend(block);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    written.extend(((high << 16) | low).to_be_bytes());
    written
}

/// A PNG with chunks behind its header.
pub(crate) fn with_chunks(png: &[u8], chunks: &[Vec<u8>]) -> Vec<u8> {
    let (start, rest) = png.split_at(8 + 25);
    [start, &chunks.concat(), rest].concat()
}

/// Its first frame is the image of the PNG; the second one never ends.
pub(crate) fn animated_png(png: &[u8]) -> Vec<u8> {
    let mut frame = vec![0, 0, 0, 0];
    frame.extend([0, 0, 0, 60, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 0]);
    frame.extend([0, 1, 0, 10, 0, 0]);
    let control = png_chunk(b"acTL", &[0, 0, 39, 16, 0, 0, 0, 0]);
    with_chunks(png, &[control, png_chunk(b"fcTL", &frame)])
}

fn riff_chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    let padding = vec![0; content.len() % 2];
    [kind, &length[..], content, &padding].concat()
}

/// A WebP of these chunks behind its canvas.
pub(crate) fn webp_of(flags: u8, width: u32, height: u32, chunks: &[Vec<u8>]) -> Vec<u8> {
    let side = |side: u32| (side - 1).to_le_bytes()[..3].to_vec();
    let canvas = [vec![flags, 0, 0, 0], side(width), side(height)].concat();
    let content = [
        b"WEBP".to_vec(),
        riff_chunk(b"VP8X", &canvas),
        chunks.concat(),
    ];
    riff_chunk(b"RIFF", &content.concat())
}

/// Frames of 40 × 30 pixels.
pub(crate) fn animated_webp(frames: usize) -> Vec<u8> {
    animated_webp_of(&webp(40, 30), (40, 30), frames)
}

/// As many frames of a picture.
pub(crate) fn animated_webp_of(
    still: &[u8],
    (width, height): (u32, u32),
    frames: usize,
) -> Vec<u8> {
    let bitstream = &still[12..];
    let side = |side: u32| (side - 1).to_le_bytes()[..3].to_vec();
    let head = [vec![0; 6], side(width), side(height), vec![10, 0, 0, 0]];
    let frame = riff_chunk(b"ANMF", &[&head.concat(), bitstream].concat());
    let mut chunks = vec![riff_chunk(b"ANIM", &[0; 6])];
    chunks.extend(vec![frame; frames]);
    webp_of(0b10, width, height, &chunks)
}

/// A JPEG whose header says another size.
pub(crate) fn resized_header(jpeg: &[u8], width: u16, height: u16) -> Vec<u8> {
    let mut bytes = jpeg.to_vec();
    let frame = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]);
    let sides = frame.unwrap() + 5;
    bytes[sides..sides + 2].copy_from_slice(&height.to_be_bytes());
    bytes[sides + 2..sides + 4].copy_from_slice(&width.to_be_bytes());
    bytes
}
