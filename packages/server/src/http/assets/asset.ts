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

/** The same content in the forms it was compressed into. */
export type Compressed = { br?: Buffer; gzip?: Buffer };

/** Prepares a file for sending: hashed and compressed once, as far as it goes. */
export function prepareAsset(body: Buffer, contentType: string, { compress = true } = {}): Asset {
  const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  if (!compress) return assetOf(body, contentType);
  return assetOf(body, contentType, { br: brotliCompressSync(body, smallest), gzip: gzipSync(body, { level: 9 }) });
}

/** A file that was compressed when it was built. */
export function assetOf(body: Buffer, contentType: string, { br, gzip }: Compressed = {}): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const variant = (encoding: Variant['encoding'], bytes: Buffer): Variant => ({
    body: bytes,
    encoding,
    etag: `"${hash}${encoding ? `-${encoding}` : ''}"`,
  });
  return {
    contentType,
    hash,
    integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
    variants: [...(br ? [variant('br', br)] : []), ...(gzip ? [variant('gzip', gzip)] : []), variant(undefined, body)],
  };
}
