import { describe, expect, it } from 'vitest';
import { logoIn } from './logo.ts';

const base64 = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString('base64');

const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13];
const png = (...size: number[]) => base64(PNG_START, 'IHDR', size, [8, 6, 0, 0, 0]);
const jpeg = (...size: number[]) =>
  base64([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xdb, 0, 3, 9, 0xff, 0xc2, 0, 11, 8], size, [3]);
const webp = (chunk: string, ...rest: number[]) => base64('RIFF', [1, 2, 3, 4], `WEBP${chunk}`, [9, 0, 0, 0], rest);
const zeros = (count: number) => Array<number>(count).fill(0);

describe('a logo is recognized by its first bytes, with its size', () => {
  it.each([
    ['png', 'image/png', png(0, 0, 1, 2, 0, 0, 0, 16), { width: 258, height: 16 }],
    ['jpg', 'image/jpeg', jpeg(0, 16, 1, 2), { width: 258, height: 16 }],
    ['webp', 'image/webp', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 2, 0x41, 16, 0), { width: 258, height: 16 }],
    ['webp', 'image/webp', webp('VP8L', 0x2f, 1, 0xc1, 3, 0, ...zeros(5)), { width: 258, height: 16 }],
    ['webp', 'image/webp', webp('VP8X', ...zeros(4), 1, 1, 0, 15, 0, 0), { width: 258, height: 16 }],
  ])('as %s', (extension, mediaType, contentBase64, size) => {
    const found = logoIn(contentBase64);
    const name = expect.stringMatching(`^[0-9a-f]{32}\\.${extension}$`);
    expect(found).toEqual({ logo: { name, mediaType, contentBase64 }, size });
    expect(logoIn(contentBase64)?.logo.name).toBe(found?.logo.name);
  });

  it.each([
    ['a vector file', base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', base64('<!doctype html><script>alert(1)</script>')],
    ['an animation', base64('GIF89a rest')],
    ['a sound', base64('RIFF', [1, 2, 3, 4], 'WAVEfmt ')],
    ['the beginning of a PNG', base64([0x89, 0x50, 0x4e, 0x47])],
    ['a PNG without a header', base64(PNG_START, 'IDAT', zeros(20))],
    ['a PNG without a height', png(0, 0, 0, 9, 0, 0, 0, 0)],
    ['a JPEG that ends before its size', base64([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0])],
    ['a JPEG whose segments lead nowhere', base64([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff], zeros(20))],
    ['a WebP of an unknown kind', webp('VP9 ', ...zeros(20))],
    ['a WebP that ends early', webp('VP8X')],
    ['nothing', ''],
  ])('and %s is none', (_what, contentBase64) => {
    expect(logoIn(contentBase64)).toBeNull();
  });
});
