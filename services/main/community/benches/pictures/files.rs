//! The files.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::made_pictures::{animated_webp_of, encoded, png, png_chunk, png_of, with_chunks};

/// Of a phone: 12 megapixels.
const PHOTO: (u32, u32) = (4_000, 3_000);
/// What a photo of that size usually has.
const PHOTO_BYTES: usize = 3_300_000;
/// Rows of a drawing that are a photo, so that it takes about as much.
const PHOTO_ROWS: u32 = 300;
/// 40 megapixels.
const LARGEST: (u16, u16) = (8_000, 5_000);
/// Two are decoded at a time: 20 megapixels.
const HALF: (u16, u16) = (5_000, 4_000);
/// Bytes that a bomb becomes.
const BOMB: u32 = 20_000 * 20_000;

pub(crate) fn honest() -> impl Iterator<Item = (String, Vec<u8>)> {
    let photos = (0..6).map(|seed| (format!("photo-{seed}.jpg"), photo(seed)));
    let drawings = (0..2).map(|seed| (format!("drawing-{seed}.png"), drawing(seed)));
    photos.chain(drawings)
}

/// Soft colours with grain, as fine as its size asks for.
fn photo(seed: u32) -> Vec<u8> {
    let image = grainy(seed, |_| true);
    let mut bytes = Vec::new();
    for quality in (60..=100).step_by(4) {
        bytes.clear();
        let mut encoder = Encoder::new(&mut bytes, quality);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        let sides = (u16::try_from(PHOTO.0), u16::try_from(PHOTO.1));
        let (width, height) = (sides.0.unwrap(), sides.1.unwrap());
        let encoded = encoder.encode(image.as_raw(), width, height, ColorType::Rgb);
        encoded.unwrap();
        if bytes.len() >= PHOTO_BYTES {
            break;
        }
    }
    bytes
}

/// A photo among even colours.
fn drawing(seed: u32) -> Vec<u8> {
    let image = grainy(seed, |row| row < PHOTO_ROWS);
    encoded(&DynamicImage::ImageRgb8(image), ImageFormat::Png)
}

fn grainy(seed: u32, has_grain: impl Fn(u32) -> bool) -> RgbImage {
    let mut state = seed;
    RgbImage::from_fn(PHOTO.0, PHOTO.1, |x, y| {
        if !has_grain(y) {
            return Rgb([230, 240, 250]);
        }
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [grain, ..] = state.to_be_bytes();
        let soft = |value: u32| u8::try_from(value % 200).unwrap() + grain % 24;
        Rgb([soft(x / 40 + seed), soft(y / 30), soft((x + y) / 60)])
    })
}

pub(crate) fn worst() -> impl Iterator<Item = (String, Vec<u8>)> {
    type Make = fn() -> Vec<u8>;
    let files: [(&str, Make); 15] = [
        ("png-rgba", || transparent(ImageFormat::Png)),
        ("png-deep", deep_png),
        ("png-strip", || png(20_000, 2_000)),
        ("jpeg-baseline", || jpeg(LARGEST, ColorType::Rgb, 3, false)),
        ("jpeg-progressive", || {
            jpeg(LARGEST, ColorType::Rgb, 3, true)
        }),
        ("jpeg-progressive-cmyk", || {
            jpeg(LARGEST, ColorType::Cmyk, 4, true)
        }),
        ("jpeg-progressive-halves", || {
            jpeg(HALF, ColorType::Rgb, 3, true)
        }),
        ("jpeg-progressive-cmyk-halves", || {
            jpeg(HALF, ColorType::Cmyk, 4, true)
        }),
        ("webp-rgba", || transparent(ImageFormat::WebP)),
        ("webp-animated", || {
            animated_webp_of(&transparent(ImageFormat::WebP), sides(LARGEST), 2)
        }),
        ("webp-photo", || {
            encoded(
                &DynamicImage::ImageRgb8(grainy(1, |row| row < 500)),
                ImageFormat::WebP,
            )
        }),
        ("bomb-pixels", || png_of(100, 100, 8, 0, &bomb())),
        ("bomb-text", || bombs(b"zTXt", b"Comment\0\0")),
        ("bomb-international-text", || {
            bombs(b"iTXt", b"Comment\0\x01\0\0\0")
        }),
        ("bomb-profile", || bombs(b"iCCP", b"profile\0\0")),
    ];
    files
        .into_iter()
        .map(|(name, make)| (format!("{name}.bin"), make()))
}

fn sides((width, height): (u16, u16)) -> (u32, u32) {
    (width.into(), height.into())
}

fn transparent(format: ImageFormat) -> Vec<u8> {
    let (width, height) = sides(LARGEST);
    let image = RgbaImage::from_pixel(width, height, Rgba([10, 200, 90, 128]));
    encoded(&DynamicImage::ImageRgba8(image), format)
}

/// Six bytes a pixel.
fn deep_png() -> Vec<u8> {
    let image = DynamicImage::new_rgb16(6_500, 4_000);
    encoded(&image, ImageFormat::Png)
}

fn jpeg(
    (width, height): (u16, u16),
    color: ColorType,
    channels: usize,
    is_progressive: bool,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, 80);
    encoder.set_progressive(is_progressive);
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    let pixels = vec![90; usize::from(width) * usize::from(height) * channels];
    encoder.encode(&pixels, width, height, color).unwrap();
    bytes
}

/// Zeros, compressed a thousandfold.
fn bomb() -> Vec<u8> {
    let side = BOMB.isqrt();
    let image = GrayImage::new(side, side);
    let mut png = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::NoFilter);
    image.write_with_encoder(encoder).unwrap();
    let mut data = Vec::new();
    let mut rest = png.get(8..).unwrap();
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, kind @ ..] = *head;
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap();
        if kind == *b"IDAT" {
            data.extend(after.get(..length).unwrap());
        }
        rest = after.get(length + 4..).unwrap();
    }
    data
}

/// As many chunks of such a text as a file may hold.
fn bombs(kind: &[u8; 4], head: &[u8]) -> Vec<u8> {
    let content = [head, &bomb()].concat();
    let chunk = png_chunk(kind, &content);
    let count = (4_000_000 / chunk.len()).max(1);
    with_chunks(&png(60, 40), &vec![chunk; count])
}
