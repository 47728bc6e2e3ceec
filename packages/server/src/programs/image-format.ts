import { gifSize, type ImageSize, jpegSize, pngSize, webpSize } from './image-size.ts';

/** The image formats that are accepted: what a file of each begins with. Formats that can contain scripts are not among them. */
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
  {
    extension: 'gif',
    mediaType: 'image/gif',
    matches: (file: Buffer) => startsWith(file, '474946383761') || startsWith(file, '474946383961'),
    sizeOf: gifSize,
  },
] as const;

type Format = (typeof FORMATS)[number];
export type Image = Pick<Format, 'extension' | 'mediaType'> & { size: ImageSize };

/** What image the file is, by its first bytes and the size in its header; null when it is none of a known format. */
export function imageIn(file: Buffer): Image | null {
  const format = FORMATS.find(({ matches }) => matches(file));
  const size = format?.sizeOf(file);
  if (!format || !size) return null;
  return { extension: format.extension, mediaType: format.mediaType, size };
}

function startsWith(file: Buffer, hex: string): boolean {
  return file.subarray(0, hex.length / 2).toString('hex') === hex;
}
