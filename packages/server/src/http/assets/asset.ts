import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A body that is sent as it lies here, with its validator. */
export type Variant = { body: Buffer; etag: string; encoding: 'br' | 'gzip' | undefined };

export type Asset = {
  contentType: string;
  /** Names the content: changes with every byte of it. */
  hash: string;
  /** What a script tag's `integrity` attribute takes. */
  integrity: string;
  /** Best first; the last one is uncompressed. */
  variants: Variant[];
};

/** Prepares a file for sending: hashed and compressed once, as far as it goes. */
export function prepareAsset(body: Buffer, contentType: string, { compress = true } = {}): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const variant = (encoding: Variant['encoding'], bytes: Buffer): Variant => ({
    body: bytes,
    encoding,
    etag: `"${hash}${encoding ? `-${encoding}` : ''}"`,
  });
  const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return {
    contentType,
    hash,
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
    variants: [
      ...(compress ? [variant('br', brotliCompressSync(body, smallest))] : []),
      ...(compress ? [variant('gzip', gzipSync(body, { level: 9 }))] : []),
      variant(undefined, body),
    ],
  };
}
