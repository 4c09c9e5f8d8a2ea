//! Makes a member's file into pictures of ours. Nothing of the file survives but its pixels, turned
//! upright: no metadata, no further frames, nothing behind the image.
//!
//! Everything that decides how much memory decoding takes is read from the header first.

use std::io::Cursor;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder};

use super::jpeg_check;

/// Longest side of the larger size.
pub const FULL_SIDE: u32 = 1_920;
pub const THUMB_WIDTH: u32 = 446;
/// A strip would be very long otherwise.
const THUMB_HEIGHT: u32 = 3 * THUMB_WIDTH;
const MAX_PIXELS: u64 = 40_000_000;
const MAX_SIDE: u32 = 20_000;
/// Bytes of the decoded pixels: 40 megapixels of four bytes.
const MAX_DECODED: u64 = 4 * MAX_PIXELS;
const FULL_QUALITY: u8 = 82;
const THUMB_QUALITY: u8 = 78;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Neither JPEG, PNG nor WebP.
    Type,
    /// Too many pixels.
    TooLarge,
    /// Cut short or damaged.
    Broken,
}

/// What the header of a file says.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    format: ImageFormat,
    pixels: u64,
}

#[derive(Clone, Debug)]
pub struct Rendered {
    /// In pixels of the larger size.
    pub width: u32,
    pub height: u32,
    pub full: Vec<u8>,
    pub thumb: Vec<u8>,
    /// The average colour, as `#rrggbb`.
    pub placeholder: String,
}

impl Header {
    /// Reads no pixel.
    ///
    /// # Errors
    /// [`Unusable`].
    pub fn read(bytes: &[u8]) -> Result<Self, Unusable> {
        let format = image::guess_format(bytes).map_err(|_unknown| Unusable::Type)?;
        let is_known = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP].contains(&format);
        if !is_known {
            return Err(Unusable::Type);
        }
        let decoder = decoder(bytes, format)?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        let is_large = pixels > MAX_PIXELS || width.max(height) > MAX_SIDE;
        if is_large || decoder.total_bytes() > MAX_DECODED {
            return Err(Unusable::TooLarge);
        }
        if pixels == 0 || (format == ImageFormat::Jpeg && !jpeg_check::is_whole(bytes)) {
            return Err(Unusable::Broken);
        }
        Ok(Self { format, pixels })
    }

    #[must_use]
    pub fn pixels(self) -> u64 {
        self.pixels
    }
}

/// Takes up to half a second of a core and 400 MB for the largest files.
///
/// # Errors
/// [`Unusable::Broken`].
pub fn render(bytes: &[u8], header: Header) -> Result<Rendered, Unusable> {
    let mut decoder = decoder(bytes, header.format)?;
    // Metadata that cannot be read says nothing about the pixels.
    let orientation = decoder.orientation();
    let orientation = orientation.unwrap_or(Orientation::NoTransforms);
    let decoded = DynamicImage::from_decoder(decoder).map_err(|_damaged| Unusable::Broken)?;
    // Before turning, which needs a second copy; the longest side is the same.
    let mut upright = shrink(decoded, (FULL_SIDE, FULL_SIDE));
    upright.apply_orientation(orientation);
    let full = on_white(upright);
    let (width, height) = full.dimensions();
    let full = DynamicImage::ImageRgb8(full);
    let full_bytes = encode(&full, FULL_QUALITY)?;
    let thumb = shrink(full, (THUMB_WIDTH, THUMB_HEIGHT));
    Ok(Rendered {
        width,
        height,
        full: full_bytes,
        thumb: encode(&thumb, THUMB_QUALITY)?,
        placeholder: average(thumb.to_rgb8()),
    })
}

fn decoder(bytes: &[u8], format: ImageFormat) -> Result<Box<dyn ImageDecoder + '_>, Unusable> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    match reader.into_decoder() {
        Ok(decoder) => Ok(Box::new(decoder)),
        Err(image::ImageError::Limits(_)) => Err(Unusable::TooLarge),
        Err(_damaged) => Err(Unusable::Broken),
    }
}

/// Averages down to twice the size first, whose cost and memory hardly depend on what it saves.
fn shrink(image: DynamicImage, within: (u32, u32)) -> DynamicImage {
    let (width, height) = fitted((image.width(), image.height()), within);
    if (width, height) == (image.width(), image.height()) {
        return image;
    }
    let twice = (width * 2, height * 2);
    let image = if image.width() > twice.0 && image.height() > twice.1 {
        image.thumbnail_exact(twice.0, twice.1)
    } else {
        image
    };
    image.resize_exact(width, height, FilterType::CatmullRom)
}

/// The largest size of the same shape within a box, without growing; at least one pixel.
fn fitted((width, height): (u32, u32), (max_width, max_height): (u32, u32)) -> (u32, u32) {
    let scaled = |side: u32, numerator: u32, denominator: u32| {
        let exact = u64::from(side) * u64::from(numerator);
        let rounded = (exact + u64::from(denominator) / 2) / u64::from(denominator.max(1));
        u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
    };
    if width <= max_width && height <= max_height {
        (width, height)
    } else if u64::from(width) * u64::from(max_height) >= u64::from(height) * u64::from(max_width) {
        (max_width, scaled(height, max_width, width))
    } else {
        (scaled(width, max_height, height), max_height)
    }
}

/// JPEG has no transparency.
fn on_white(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let rgba = image.into_rgba8();
    let mut flat = RgbImage::new(rgba.width(), rgba.height());
    for (from, to) in rgba.pixels().zip(flat.pixels_mut()) {
        let [red, green, blue, alpha] = from.0;
        *to = Rgb([red, green, blue].map(|part| blend(part, alpha)));
    }
    flat
}

fn blend(part: u8, alpha: u8) -> u8 {
    let (part, alpha) = (u32::from(part), u32::from(alpha));
    let sum = part * alpha + 255 * (255 - alpha);
    u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
}

fn average(image: RgbImage) -> String {
    let count = u64::from(image.width()) * u64::from(image.height());
    let mut sums = [0_u64; 3];
    for pixel in image.pixels() {
        for (sum, part) in sums.iter_mut().zip(pixel.0) {
            *sum += u64::from(part);
        }
    }
    let [red, green, blue] = sums.map(|sum| sum / count.max(1));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn encode(image: &DynamicImage, quality: u8) -> Result<Vec<u8>, Unusable> {
    let image = image.to_rgb8();
    let side = |side: u32| u16::try_from(side).map_err(|_long| Unusable::TooLarge);
    let (width, height) = (side(image.width())?, side(image.height())?);
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    encoder.set_progressive(true);
    let encoded = encoder.encode(image.as_raw(), width, height, ColorType::Rgb);
    encoded.map_err(|_refused| Unusable::Broken)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fit_and_keep_their_shape() {
        let full = (FULL_SIDE, FULL_SIDE);
        assert_eq!(fitted((4_000, 3_000), full), (1_920, 1_440));
        assert_eq!(fitted((3_000, 4_000), full), (1_440, 1_920));
        assert_eq!(fitted((800, 600), full), (800, 600));
        assert_eq!(fitted((20_000, 1), full), (1_920, 1));
        assert_eq!(fitted((1_920, 1_440), (446, 1_338)), (446, 335));
        assert_eq!(fitted((100, 20_000), (446, 1_338)), (7, 1_338));
    }

    #[test]
    fn what_is_transparent_becomes_white() {
        assert_eq!(blend(0, 0), 255);
        assert_eq!(blend(0, 255), 0);
        assert_eq!(blend(100, 255), 100);
        assert_eq!(blend(0, 128), 127);
    }
}
