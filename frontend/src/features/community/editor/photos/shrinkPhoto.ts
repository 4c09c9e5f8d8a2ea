const LONGEST_PX = 1_920;
const QUALITY = 0.85;

/**
 * A photo as small as the server keeps it, without what the camera wrote into it. What this browser cannot draw is sent as it is:
 * the server does the same, and says what it does not take.
 */
export async function shrinkPhoto(file: File): Promise<Blob> {
  try {
    const photo = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const ratio = Math.min(1, LONGEST_PX / Math.max(photo.width, photo.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(photo.width * ratio));
    canvas.height = Math.max(1, Math.round(photo.height * ratio));
    const drawing = canvas.getContext('2d');
    if (drawing === null) return file;
    // A JPEG has no transparency.
    drawing.fillStyle = '#fff';
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    drawing.drawImage(photo, 0, 0, canvas.width, canvas.height);
    photo.close();
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/jpeg', QUALITY));
  } catch {
    return file;
  }
}
