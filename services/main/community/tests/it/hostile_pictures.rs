//! What is made of files that are no honest pictures.

use community::pictures::render::{Header, Rendered, Unusable, render};
use image::{DynamicImage, ImageFormat};
use jpeg_encoder::ColorType;

use crate::made_pictures::{
    animated_png, animated_webp, encoded, exif, halves, jpeg, jpeg_of, noise, png, png_chunk,
    png_of, resized_header, stored, transparent, webp, webp_of, with_chunks, with_segment,
};

fn made(bytes: &[u8]) -> Result<Rendered, Unusable> {
    render(bytes, Header::read(bytes)?)
}

fn cut(bytes: &[u8], percent: usize) -> Vec<u8> {
    bytes[..bytes.len() * percent / 100].to_vec()
}

/// The size of what is made of a file.
type Made = Result<(u32, u32), Unusable>;

fn files() -> Vec<(&'static str, Vec<u8>, Made)> {
    let (of_type, large, broken) = (
        Err(Unusable::Type),
        Err(Unusable::TooLarge),
        Err(Unusable::Broken),
    );
    let small = Ok((60, 40));
    let (jpeg, png, webp) = (jpeg(60, 40), png(60, 40), webp(60, 40));
    let script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let grey = DynamicImage::ImageLuma8(halves(60, 40).into_luma8());
    let deep = DynamicImage::ImageRgba16(halves(60, 40).into_rgba16());
    vec![
        ("nothing", vec![], of_type),
        ("one byte", vec![0xff], of_type),
        ("zeros", vec![0; 4_096], of_type),
        ("text", b"hello".to_vec(), of_type),
        ("svg", script.to_vec(), of_type),
        ("html", b"<!doctype html><img src=x>".to_vec(), of_type),
        (
            "gif",
            [&b"GIF89a\x01\0\x01\0\0\0\0;"[..], &jpeg].concat(),
            of_type,
        ),
        (
            "gif and script",
            b"GIF89a/*\0\0*/=1;alert(1)".to_vec(),
            of_type,
        ),
        (
            "bmp",
            [&b"BM\x8a\0\0\0\0\0\0\0"[..], &[0; 99]].concat(),
            of_type,
        ),
        (
            "tiff",
            [&b"II*\0\x08\0\0\0"[..], &[0; 99]].concat(),
            of_type,
        ),
        (
            "heic",
            b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec(),
            of_type,
        ),
        (
            "avif",
            b"\0\0\0\x1cftypavif\0\0\0\0avifmif1".to_vec(),
            of_type,
        ),
        ("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3".to_vec(), of_type),
        ("zip", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec(), of_type),
        ("program", b"\x7fELF\x02\x01\x01\0".to_vec(), of_type),
        (
            "picture behind script",
            [&script[..], &png].concat(),
            of_type,
        ),
        ("start of jpeg", jpeg[..3].to_vec(), broken),
        ("start of png", png[..8].to_vec(), broken),
        ("start of webp", webp[..12].to_vec(), broken),
        ("a tenth of jpeg", cut(&jpeg, 10), broken),
        ("half of jpeg", cut(&jpeg, 90), broken),
        (
            "half of png",
            cut(&encoded(&noise(60, 40), ImageFormat::Png), 50),
            broken,
        ),
        ("half of webp", cut(&webp, 50), broken),
        ("jpeg without end", jpeg[..jpeg.len() - 2].to_vec(), broken),
        ("jpeg of scans", endless_scans(&jpeg), broken),
        (
            "png of damaged pixels",
            png_of(60, 40, 8, 2, b"no zlib"),
            broken,
        ),
        (
            "png of too few pixels",
            png_of(60, 40, 8, 2, &stored(&[0; 99])),
            broken,
        ),
        (
            "png of no width",
            png_of(0, 40, 8, 2, &stored(&[0; 99])),
            broken,
        ),
        ("png of a wrong checksum", wrong_checksum(&png), broken),
        (
            "png of an unknown colour",
            png_of(60, 40, 8, 5, &stored(&[0; 99])),
            broken,
        ),
        ("webp of no image", webp_of(0, 60, 40, &[]), broken),
        (
            "png bomb",
            png_of(20_000, 20_000, 8, 6, &stored(&[0; 99])),
            large,
        ),
        (
            "largest png",
            png_of(u32::MAX >> 1, u32::MAX >> 1, 16, 6, &[]),
            large,
        ),
        (
            "1 × 1,000,000",
            png_of(1, 1_000_000, 8, 0, &stored(&[0; 99])),
            large,
        ),
        (
            "1,000,000 × 1",
            png_of(1_000_000, 1, 1, 0, &stored(&[0; 99])),
            large,
        ),
        (
            "jpeg of 65,535²",
            resized_header(&jpeg, 65_535, 65_535),
            large,
        ),
        (
            "jpeg of 41 megapixels",
            resized_header(&jpeg, 8_200, 5_000),
            large,
        ),
        (
            "png of 41 megapixels",
            png_of(8_200, 5_000, 1, 0, &[]),
            large,
        ),
        (
            "deep png of 30 megapixels",
            png_of(6_000, 5_000, 16, 6, &[]),
            large,
        ),
        ("jpeg", jpeg.clone(), small),
        ("png", png.clone(), small),
        ("webp", webp.clone(), small),
        ("one pixel", crate::made_pictures::png(1, 1), Ok((1, 1))),
        (
            "a strip",
            crate::made_pictures::png(1, 20_000),
            Ok((1, 1_920)),
        ),
        (
            "a wide one",
            crate::made_pictures::jpeg(4_000, 500),
            Ok((1_920, 240)),
        ),
        (
            "jpeg before zip",
            [&jpeg[..], b"PK\x03\x04evil.sh"].concat(),
            small,
        ),
        ("jpeg before html", [&jpeg[..], script].concat(), small),
        (
            "png before php",
            [&png[..], b"<?php system($_GET[0]);"].concat(),
            small,
        ),
        (
            "jpeg with a comment",
            with_segment(&jpeg, 0xfe, script),
            small,
        ),
        (
            "turned jpeg",
            with_segment(&jpeg, 0xe1, &exif(6)),
            Ok((40, 60)),
        ),
        ("mirrored jpeg", with_segment(&jpeg, 0xe1, &exif(2)), small),
        (
            "jpeg of no direction",
            with_segment(&jpeg, 0xe1, &exif(99)),
            small,
        ),
        (
            "jpeg of broken metadata",
            with_segment(&jpeg, 0xe1, b"Exif\0\0MM"),
            small,
        ),
        ("grey jpeg", encoded(&grey, ImageFormat::Jpeg), small),
        (
            "cmyk jpeg",
            jpeg_of(ColorType::Cmyk, 4, false),
            Ok((64, 48)),
        ),
        (
            "inverted cmyk jpeg",
            jpeg_of(ColorType::Ycck, 4, false),
            Ok((64, 48)),
        ),
        (
            "progressive jpeg",
            jpeg_of(ColorType::Rgb, 3, true),
            Ok((64, 48)),
        ),
        ("deep png", encoded(&deep, ImageFormat::Png), small),
        (
            "palette png",
            png_of(8, 4, 8, 3, &stored(&[1; 36])),
            Ok((8, 4)),
        ),
        (
            "two-coloured png",
            png_of(8, 4, 1, 0, &stored(&[0, 170].repeat(4))),
            Ok((8, 4)),
        ),
        (
            "transparent png",
            encoded(&transparent(60, 40), ImageFormat::Png),
            small,
        ),
        ("animated png", animated_png(&png), small),
        (
            "png with a text bomb",
            with_chunks(&png, &[text_bomb()]),
            small,
        ),
        ("animated webp", animated_webp(3), Ok((40, 30))),
        ("webp of many frames", animated_webp(2_000), Ok((40, 30))),
    ]
}

/// A text that is much larger than it looks.
fn text_bomb() -> Vec<u8> {
    let text = [&b"Comment\0\0"[..], &stored(&[b'a'; 500_000])].concat();
    png_chunk(b"zTXt", &text)
}

fn endless_scans(jpeg: &[u8]) -> Vec<u8> {
    let start = jpeg
        .windows(2)
        .position(|pair| pair == [0xff, 0xda])
        .unwrap();
    let (head, scan) = jpeg.split_at(start);
    let scan = &scan[..scan.len() - 2];
    [head, &scan.repeat(40), &[0xff, 0xd9]].concat()
}

fn wrong_checksum(png: &[u8]) -> Vec<u8> {
    let mut bytes = png.to_vec();
    bytes[30] ^= 0xff;
    bytes
}

#[test]
fn every_file_is_a_picture_of_ours_or_refused() {
    let files = files();
    assert!(files.len() >= 60);
    for (name, bytes, expected) in files {
        let rendered = made(&bytes);
        let size = rendered.as_ref().map(|made| (made.width, made.height));
        assert_eq!(size.map_err(|error| *error), expected, "{name}");
        let Ok(rendered) = rendered else { continue };
        let (full, thumb) = (&rendered.full, &rendered.thumb);
        for file in [full, thumb] {
            let again = image::load_from_memory_with_format(file, ImageFormat::Jpeg);
            assert!(again.is_ok(), "{name}");
            for trace in [&b"Exif"[..], b"CAM", b"GPS", b"script", b"<?php", b"PK\x03"] {
                let found = file.windows(trace.len()).any(|part| part == trace);
                assert!(!found, "{name}");
            }
        }
        let thumb = image::load_from_memory(thumb).unwrap();
        assert!(thumb.width() <= 446 && thumb.height() <= 1_338, "{name}");
        assert_eq!(rendered.placeholder.len(), 7, "{name}");
    }
}

#[test]
fn pictures_stand_upright() {
    let lying = jpeg(60, 40);
    // Where the red half is after turning: left, right, top or bottom.
    for (orientation, red, blue) in [
        (1, (5, 20), (55, 20)),
        (2, (55, 20), (5, 20)),
        (3, (55, 20), (5, 20)),
        (6, (20, 5), (20, 55)),
        (8, (20, 55), (20, 5)),
    ] {
        let bytes = with_segment(&lying, 0xe1, &exif(orientation));
        let picture = image::load_from_memory(&made(&bytes).unwrap().full).unwrap();
        let picture = picture.into_rgb8();
        let [r, _, b] = picture.get_pixel(red.0, red.1).0;
        assert!(r > 150 && b < 100, "{orientation}");
        let [r, _, b] = picture.get_pixel(blue.0, blue.1).0;
        assert!(r < 100 && b > 150, "{orientation}");
    }
}

#[test]
fn what_is_transparent_is_white_and_the_placeholder_is_its_colour() {
    let clear = made(&encoded(&transparent(30, 30), ImageFormat::Png)).unwrap();
    assert_eq!(clear.placeholder, "#ffffff");
    let grey = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(30, 30, image::Rgb([96; 3])));
    let grey = made(&encoded(&grey, ImageFormat::Png)).unwrap();
    assert_eq!(grey.placeholder, "#606060");
}

#[test]
fn a_large_picture_is_made_smaller() {
    let made = made(&jpeg(2_016, 1_512)).unwrap();
    assert_eq!((made.width, made.height), (1_920, 1_440));
    let thumb = image::load_from_memory(&made.thumb).unwrap();
    assert_eq!((thumb.width(), thumb.height()), (446, 335));
}
