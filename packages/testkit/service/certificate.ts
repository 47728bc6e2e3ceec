import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate for one host name, and the key that belongs to it. */
export type Certificate = { cert: string; key: string };

type Signer = { name: string; privateKey: KeyObject };

const YEAR_MS = 365 * 24 * 3_600_000;
const SIGNATURE = sequence(identifier('2a8648ce3d040302'));

/** A certificate that signed itself, or one that such a certificate signed. */
export function createCertificate(
  host: string,
  { until = new Date(Date.now() + YEAR_MS), by }: { until?: Date; by?: string } = {},
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = { name: host, privateKey };
  const issuer = by === undefined ? own : { name: by, privateKey: newKey() };
  const der = signed(host, publicKey.export({ type: 'spki', format: 'der' }), until, issuer);
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function signed(host: string, publicKey: Buffer, until: Date, issuer: Signer): Buffer {
  const from = new Date(until.getTime() - 2 * YEAR_MS);
  const names = sequence(identifier('551d11'), tagged(0x04, sequence(tagged(0x82, Buffer.from(host)))));
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    SIGNATURE,
    nameOf(issuer.name),
    sequence(time(from), time(until)),
    nameOf(host),
    publicKey,
    tagged(0xa3, sequence(names)),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  return sequence(content, SIGNATURE, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

const nameOf = (name: string) =>
  sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))));

const time = (at: Date) => tagged(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, '')));

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

/** A value in the encoding of certificates: its tag, its length, its bytes. */
function tagged(tag: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), bytes]);
}
