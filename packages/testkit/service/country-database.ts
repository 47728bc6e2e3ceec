import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE_BYTES = 6;
const SEPARATOR_BYTES = 16;
const METADATA_MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** Where the two values of a bit lead: to a node, to a country, or nowhere. */
type Node = [Side, Side];
type Side = number | string | null;

/** A MaxMind DB file of IPv4 networks: by the first byte of their addresses, the country of all that start with it. */
export async function countryDatabase(countries: Record<number, string>): Promise<string> {
  const nodes: Node[] = [[null, null]];
  const data = new Map<string, { offset: number; bytes: Buffer }>();
  let length = 0;
  for (const [firstByte, country] of Object.entries(countries)) {
    const bytes = map({ country: map({ iso_code: text(country) }) });
    data.set(country, { offset: length, bytes });
    length += bytes.length;
    let at = 0;
    // Eight nodes lead to a network, one for each bit. Networks that begin alike share them.
    for (let bit = 0; bit < 8; bit += 1) {
      const node = nodes[at] as Node;
      const side = (Number(firstByte) >> (7 - bit)) & 1;
      if (bit === 7) node[side] = country;
      else if (node[side] === null) node[side] = nodes.push([null, null]) - 1;
      at = Number(node[side]);
    }
  }
  const tree = Buffer.alloc(nodes.length * NODE_BYTES);
  const records = nodes.flat().map((record) => {
    if (typeof record === 'number') return record;
    // The number of nodes itself means that nothing is known.
    return nodes.length + (record === null ? 0 : SEPARATOR_BYTES + (data.get(record)?.offset ?? 0));
  });
  for (const [index, record] of records.entries()) tree.writeUIntBE(record, index * 3, 3);
  const metadata = map({
    node_count: number(nodes.length),
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
  const separator = Buffer.alloc(SEPARATOR_BYTES);
  const contents = [...data.values()].map(({ bytes }) => bytes);
  await writeFile(path, Buffer.concat([tree, separator, ...contents, METADATA_MARKER, metadata]));
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
