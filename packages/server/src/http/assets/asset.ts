import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** One encoding of an asset, ready to send, with its ETag. */
export type Variant = { body: Buffer; etag: string; encoding: 'br' | 'gzip' | undefined };

export type Asset = {
  contentType: string;
  /** Identifies the content. */
  hash: string;
  /** The value for the `integrity` attribute of a script tag. */
  integrity: string;
  /** Smallest first. The last one is not compressed. */
  variants: Variant[];
};

/** The same content, compressed. */
export type Compressed = { br?: Buffer; gzip?: Buffer };

/** Hashes a file and compresses it as far as possible. */
export function prepareAsset(body: Buffer, contentType: string, { compress = true } = {}): Asset {
  const smallest = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  if (!compress) return assetOf(body, contentType);
  return assetOf(body, contentType, { br: brotliCompressSync(body, smallest), gzip: gzipSync(body, { level: 9 }) });
}

/** An asset from a file that the build has compressed. */
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
