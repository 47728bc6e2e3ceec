import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE_BYTES = 6;
const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** A MaxMind DB file that knows one IPv4 network: all addresses that start with this byte are in this country. */
export async function countryDatabase(firstByte: number, country: string): Promise<string> {
  // A tree of eight nodes, one for each bit. The other side of each leads nowhere.
  const nodes = 8;
  const tree = Buffer.alloc(nodes * NODE_BYTES);
  for (let bit = 0; bit < nodes; bit += 1) {
    const next = bit === nodes - 1 ? nodes + 16 : bit + 1;
    const isRight = (firstByte >> (7 - bit)) & 1;
    tree.writeUIntBE(isRight ? nodes : next, bit * NODE_BYTES, 3);
    tree.writeUIntBE(isRight ? next : nodes, bit * NODE_BYTES + 3, 3);
  }
  const data = map({ country: map({ iso_code: text(country) }) });
  const metadata = map({
    node_count: number(nodes),
    record_size: number(24),
    ip_version: number(4),
    database_type: text('Test-Country'),
    languages: Buffer.from([0x00, 0x04]),
    binary_format_major_version: number(2),
    binary_format_minor_version: number(0),
    build_epoch: number(1_700_000_000),
    description: map({}),
  });
  const path = join(await mkdtemp(join(tmpdir(), 'svc-countries-')), 'countries.mmdb');
  await writeFile(path, Buffer.concat([tree, Buffer.alloc(16), data, METADATA_MARKER, metadata]));
  return path;
}

// The three types of the format that are needed, each with its length in the control byte.
function map(fields: Record<string, Buffer>): Buffer {
  const parts = Object.entries(fields).flatMap(([name, value]) => [text(name), value]);
  return Buffer.concat([Buffer.from([0xe0 | Object.keys(fields).length]), ...parts]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
}

/** An unsigned number of 32 bits. */
function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return Buffer.concat([Buffer.from([0xc4]), bytes]);
}
