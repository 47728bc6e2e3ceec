import { createHash } from 'node:crypto';
import type { CreativeFileType } from '@svc/contract';
import { imageIn } from '../programs/image-format.ts';

export type CreativeFile = {
  name: string;
  mediaType: CreativeFileType;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  sha256: string;
  contentBase64: string;
};

/** The file that was sent as base64, recognized by its first bytes; null when it is none that partners may get. */
export function creativeFileIn(sentName: string, contentBase64: string): CreativeFile | null {
  const bytes = Buffer.from(contentBase64, 'base64');
  // What is no base64 is skipped by the decoder, so what was sent is compared with what was read.
  if (bytes.length === 0 || bytes.toString('base64') !== contentBase64) return null;
  const image = imageIn(bytes);
  const isPdf = bytes.toString('latin1', 0, 5) === '%PDF-';
  if (!image && !isPdf) return null;
  return {
    name: safeName(sentName, image?.extension ?? 'pdf'),
    mediaType: image?.mediaType ?? 'application/pdf',
    sizeBytes: bytes.length,
    width: image?.size.width ?? null,
    height: image?.size.height ?? null,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    contentBase64,
  };
}

const MAX_STEM_CHARS = 80;

/**
 * The name under which the file is saved: letters, digits and a few signs, in ASCII, with the extension of what the file is. It
 * fits a header as it is, and no system reads a path, a command or another type in it.
 */
export function safeName(sentName: string, extension: string): string {
  const stem = sentName
    .replace(/\.[^./\\]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._ -]+/g, '-')
    .replace(/\.+/g, '.')
    .replace(/^[\s._-]+|[\s._-]+$/g, '')
    .slice(0, MAX_STEM_CHARS)
    .replace(/[\s._-]+$/, '');
  return `${stem || 'file'}.${extension}`;
}
