import { Readable } from 'node:stream';
import { createDeflateRaw } from 'node:zlib';

export type ZipPart = { name: string; text: AsyncIterable<string> };
type Written = { name: Buffer; at: number; crc: number; packed: number; size: number };

// Sizes follow the data, because they are known only then; names are UTF-8.
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
/** The first day that the format knows: the same rows make the same bytes. */
const DATE = 0x0021;

/** A zip archive of texts, each packed as it is read, so that none of them is in memory as a whole. */
export async function* zipOf(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  for await (const { name, text } of parts) {
    const part = { name: Buffer.from(name), at, crc: 0, packed: 0, size: 0 };
    const head = Buffer.concat([bytes([0x04034b50, 4], ...commonOf(part)), part.name]);
    yield head;
    const source = async function* () {
      for await (const piece of text) {
        const data = Buffer.from(piece);
        part.crc = crcOf(data, part.crc);
        part.size += data.length;
        yield data;
      }
    };
    for await (const packed of Readable.from(source()).compose(createDeflateRaw()) as AsyncIterable<Buffer>) {
      part.packed += packed.length;
      yield packed;
    }
    const tail = bytes([0x08074b50, 4], [part.crc, 4], [part.packed, 4], [part.size, 4]);
    yield tail;
    at += head.length + part.packed + tail.length;
    written.push(part);
  }
  const directory = Buffer.concat(written.flatMap((part) => [entryOf(part), part.name]));
  yield directory;
  const counts: Field[] = [
    [written.length, 2],
    [written.length, 2],
  ];
  yield bytes([0x06054b50, 4], [0, 4], ...counts, [directory.length, 4], [at, 4], [0, 2]);
}

type Field = [value: number, length: 2 | 4];

function commonOf({ crc, packed, size, name }: Written): Field[] {
  return [
    [VERSION, 2],
    [FLAGS, 2],
    [DEFLATED, 2],
    [0, 2],
    [DATE, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [name.length, 2],
    [0, 2],
  ];
}

function entryOf(part: Written): Buffer {
  return bytes([0x02014b50, 4], [VERSION, 2], ...commonOf(part), [0, 2], [0, 4], [0, 4], [part.at, 4]);
}

function bytes(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.map(([value, length]) => {
      const field = Buffer.alloc(length);
      field.writeUIntLE(value, 0, length);
      return field;
    }),
  );
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crcOf(data: Buffer, before: number): number {
  let crc = ~before;
  for (const byte of data) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}
