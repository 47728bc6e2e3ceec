import { createHash } from 'node:crypto';
import { imageIn } from './image-format.ts';
import type { ImageSize } from './image-size.ts';

export type Logo = { name: string; mediaType: string; contentBase64: string };

/** The logo in the file, named after its content, and its size; null when the file is not a PNG, JPEG or WebP image. */
export function logoIn(contentBase64: string): { logo: Logo; size: ImageSize } | null {
  const file = Buffer.from(contentBase64, 'base64');
  const image = imageIn(file);
  // Logos do not move.
  if (!image || image.extension === 'gif') return null;
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 32);
  const logo = { name: `${hash}.${image.extension}`, mediaType: image.mediaType, contentBase64 };
  return { logo, size: image.size };
}
