const MAX_BYTES = 45 * 1024;
const MAX_PIXELS = 2_000;
/** Twice the largest size in which it is shown, and smaller ones for images that do not compress well. */
const SIZES = [256, 192, 128, 96];

/** The image in base64, scaled down if it is too large to be sent. */
export async function readLogo(file: File): Promise<string> {
  if (!/^image\/(png|jpeg|webp)$/.test(file.type)) throw new Error('Choose a PNG, JPEG or WebP image.');
  const image = await createImageBitmap(file).catch(() => {
    throw new Error('This image can’t be read. Choose another one.');
  });
  const isSmall = Math.max(image.width, image.height) <= MAX_PIXELS;
  if (isSmall && file.size <= MAX_BYTES) return toBase64(file);
  for (const size of SIZES) {
    const scaled = await scale(image, size);
    if (scaled && scaled.size <= MAX_BYTES) return toBase64(scaled);
  }
  throw new Error('This image is too large. Choose a smaller one.');
}

function scale(image: ImageBitmap, size: number): Promise<Blob | null> {
  const factor = Math.min(1, size / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * factor));
  canvas.height = Math.max(1, Math.round(image.height * factor));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
