import { createHash } from 'node:crypto';
import { type ImageSize, jpegSize, pngSize, webpSize } from './image-size.ts';

/** The image formats of logos: what a file of each begins with. Formats that can contain scripts are not among them. */
const FORMATS = [
  {
    extension: 'png',
    mediaType: 'image/png',
    matches: (file: Buffer) => startsWith(file, '89504e470d0a1a0a'),
    sizeOf: pngSize,
  },
  {
    extension: 'jpg',
    mediaType: 'image/jpeg',
    matches: (file: Buffer) => startsWith(file, 'ffd8ff'),
    sizeOf: jpegSize,
  },
  {
    extension: 'webp',
    mediaType: 'image/webp',
    matches: (file: Buffer) => startsWith(file, '52494646') && file.toString('latin1', 8, 12) === 'WEBP',
    sizeOf: webpSize,
  },
] as const;

export type Logo = { name: string; mediaType: string; contentBase64: string };

/** The logo in the file, named after its content, and its size; null when the file is not an image of a known format. */
export function logoIn(contentBase64: string): { logo: Logo; size: ImageSize } | null {
  const file = Buffer.from(contentBase64, 'base64');
  const format = FORMATS.find(({ matches }) => matches(file));
  const size = format?.sizeOf(file);
  if (!format || !size) return null;
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 32);
  return { logo: { name: `${hash}.${format.extension}`, mediaType: format.mediaType, contentBase64 }, size };
}

function startsWith(file: Buffer, hex: string): boolean {
  return file.subarray(0, hex.length / 2).toString('hex') === hex;
}
