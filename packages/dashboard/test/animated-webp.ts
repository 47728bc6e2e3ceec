/** A picture as a browser encodes it, and how long it is shown. */
export type Frame = { webp: Buffer; milliseconds: number };

/** Puts still WebP pictures of one size one after the other, as one that repeats (RFC 9649). The pictures stay as they are encoded. */
export function animatedWebp(frames: Frame[], { width, height }: { width: number; height: number }): Buffer {
  const header = Buffer.alloc(10);
  header.writeUInt8(ANIMATION, 0);
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  // A background and how often to repeat; 0 is for ever.
  const animation = Buffer.alloc(6);
  const pictures = frames.map(({ webp, milliseconds }) => {
    const place = Buffer.alloc(16);
    place.writeUIntLE(width - 1, 6, 3);
    place.writeUIntLE(height - 1, 9, 3);
    place.writeUIntLE(milliseconds, 12, 3);
    place.writeUInt8(REPLACE, 15);
    return chunk('ANMF', Buffer.concat([place, pixelsOf(webp)]));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', header), chunk('ANIM', animation), ...pictures]);
  return chunk('RIFF', body);
}

const ANIMATION = 0b10;
/** Do not blend with the picture before. */
const REPLACE = 0b10;

/** The chunk with the pixels of a still picture. */
function pixelsOf(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const name = webp.toString('latin1', at, at + 4);
    const size = webp.readUInt32LE(at + 4);
    if (name === 'VP8 ' || name === 'VP8L') return chunk(name, webp.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size % 2);
  }
  throw new Error('The picture is not a WebP without transparency');
}

/** Names and sizes precede contents, which have an even length. */
function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
