export type ImageSize = { width: number; height: number };

/** The size in the header of a PNG file; null when it has none. */
export function pngSize(file: Buffer): ImageSize | null {
  if (file.length < 24 || file.toString('latin1', 12, 16) !== 'IHDR') return null;
  return sized(file.readUInt32BE(16), file.readUInt32BE(20));
}

/** The markers of JPEG segments that begin with the size. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The size in the first frame of a JPEG file; null when there is none. */
export function jpegSize(file: Buffer): ImageSize | null {
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] as number;
    // Markers may be preceded by any number of fill bytes.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return sized(file.readUInt16BE(at + 7), file.readUInt16BE(at + 5));
    else at += 2 + file.readUInt16BE(at + 2);
  }
  return null;
}

/** The size in the first chunk of a WebP file: lossy, lossless, or extended. */
export function webpSize(file: Buffer): ImageSize | null {
  if (file.length < 30) return null;
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return sized(file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return sized(file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}

/** The size of the canvas in the header of a GIF file. */
export function gifSize(file: Buffer): ImageSize | null {
  return file.length < 13 ? null : sized(file.readUInt16LE(6), file.readUInt16LE(8));
}

function sized(width: number, height: number): ImageSize | null {
  return width > 0 && height > 0 ? { width, height } : null;
}
