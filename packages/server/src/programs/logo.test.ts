import { describe, expect, it } from 'vitest';
import { logoIn } from './logo.ts';

const base64 = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string))).toString('base64');

describe('a logo is recognized by its first bytes', () => {
  it.each([
    ['png', 'image/png', base64([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'rest')],
    ['jpg', 'image/jpeg', base64([0xff, 0xd8, 0xff, 0xe0], 'rest')],
    ['webp', 'image/webp', base64('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')],
  ])('as %s', (extension, mediaType, contentBase64) => {
    const logo = logoIn(contentBase64);
    expect(logo).toEqual({ name: expect.stringMatching(`^[0-9a-f]{32}\\.${extension}$`), mediaType, contentBase64 });
    expect(logoIn(contentBase64)?.name).toBe(logo?.name);
  });

  it.each([
    ['a vector file', base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', base64('<!doctype html><script>alert(1)</script>')],
    ['an animation', base64('GIF89a rest')],
    ['a sound', base64('RIFF', [1, 2, 3, 4], 'WAVEfmt ')],
    ['the beginning of a PNG', base64([0x89, 0x50, 0x4e, 0x47])],
    ['nothing', ''],
  ])('and %s is none', (_what, contentBase64) => {
    expect(logoIn(contentBase64)).toBeNull();
  });
});
