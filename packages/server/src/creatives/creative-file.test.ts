import { expect, it } from 'vitest';
import { creativeFileIn, safeName } from './creative-file.ts';

const base64 = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))).toString(
    'base64',
  );

const GIF = Buffer.from('4749463839610200030000000000003b', 'hex');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

it.each([
  ['banner.png', PNG, { name: 'banner.png', mediaType: 'image/png', width: 1, height: 1 }],
  ['moving.gif', GIF, { name: 'moving.gif', mediaType: 'image/gif', width: 2, height: 3 }],
  ['kit.pdf', Buffer.from('%PDF-1.7\n'), { name: 'kit.pdf', mediaType: 'application/pdf', width: null, height: null }],
  // What it is decides, not what it is called.
  ['page.html', PNG, { name: 'page.png', mediaType: 'image/png', width: 1, height: 1 }],
  // A valid image with a page behind it is an image, and is served as one.
  ['x.svg', Buffer.concat([GIF, Buffer.from('<script>alert(1)</script>')]), { name: 'x.gif', mediaType: 'image/gif' }],
])('%s is recognized by its first bytes', (name, bytes, expected) => {
  expect(creativeFileIn(name, bytes.toString('base64'))).toMatchObject({ ...expected, sizeBytes: bytes.length });
});

it.each([
  ['SVG', base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['SVG behind a declaration', base64('<?xml version="1.0"?><svg onload="alert(1)"/>')],
  ['HTML', base64('<!doctype html><script>alert(1)</script>')],
  ['HTML before the signature of a PDF', base64('<html><!-- %PDF-1.7')],
  ['the signature of a GIF without a header', base64('GIF89a')],
  ['the signature of a PNG before a page', base64(Buffer.from('89504e470d0a1a0a', 'hex'), '<html><script></script>')],
  ['an image of no size', base64('GIF89a', Buffer.alloc(10))],
  ['nothing', ''],
  ['text that is no base64', 'not base64!'],
  ['base64 with spaces', `${PNG.toString('base64').slice(0, 20)} ${PNG.toString('base64').slice(20)}`],
  ['base64 for addresses', GIF.toString('base64').replace('+', '-').replace('=', '')],
])('%s is refused', (_what, content) => expect(creativeFileIn('banner.png', content)).toBeNull());

it.each([
  ['../../etc/passwd', 'etc-passwd.png'],
  ['a"b\r\nSet-Cookie: x.png', 'a-b-Set-Cookie- x.png'],
  ['<script>alert(1)</script>.png', 'script-alert-1-script.png'],
  ['Größe café.jpeg', 'Gro-e cafe.png'],
  ['invoice.pdf.exe', 'invoice.pdf.png'],
  ['\u202egnp.exe', 'gnp.png'],
  ['CON', 'CON.png'],
  ['....', 'file.png'],
  ['', 'file.png'],
  ['日本語', 'file.png'],
  ['x'.repeat(300), `${'x'.repeat(80)}.png`],
])('%j is saved as %j', (sent, name) => expect(safeName(sent, 'png')).toBe(name));
