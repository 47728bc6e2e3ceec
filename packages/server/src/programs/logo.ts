import { createHash } from 'node:crypto';

/** The image formats of logos: what a file of each begins with. Formats that can contain scripts are not among them. */
const FORMATS = [
  { extension: 'png', mediaType: 'image/png', matches: (file: Buffer) => startsWith(file, '89504e470d0a1a0a') },
  { extension: 'jpg', mediaType: 'image/jpeg', matches: (file: Buffer) => startsWith(file, 'ffd8ff') },
  {
    extension: 'webp',
    mediaType: 'image/webp',
    matches: (file: Buffer) => startsWith(file, '52494646') && file.toString('latin1', 8, 12) === 'WEBP',
  },
] as const;

export type Logo = { name: string; mediaType: string; contentBase64: string };

/** The logo in the file, named after its content; null when the file is not an image of a known format. */
export function logoIn(contentBase64: string): Logo | null {
  const file = Buffer.from(contentBase64, 'base64');
  const format = FORMATS.find(({ matches }) => matches(file));
  if (!format) return null;
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 32);
  return { name: `${hash}.${format.extension}`, mediaType: format.mediaType, contentBase64 };
}

function startsWith(file: Buffer, hex: string): boolean {
  return file.subarray(0, hex.length / 2).toString('hex') === hex;
}
