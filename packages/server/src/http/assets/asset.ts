import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

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

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);

/** From here on, the best compression takes a second for the last few percent, and the one before it a twentieth of that. */
const LARGE_BYTES = 256 * 1024;

/** Hashes a file and compresses it well. Other requests do not wait for that. */
export async function prepareAsset(body: Buffer, contentType: string, { compress = true } = {}): Promise<Asset> {
  if (!compress) return assetOf(body, contentType);
  const quality = body.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY;
  const [br, gzipped] = await Promise.all([
    inBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    inGzip(body, { level: 9 }),
  ]);
  return assetOf(body, contentType, { br, gzip: gzipped });
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
