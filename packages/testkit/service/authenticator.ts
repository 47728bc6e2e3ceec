import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { symmetricEncrypt } from 'better-auth/crypto';
import type { TestService } from './service.ts';

const PERIOD_MS = 30_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for the secret in the URI; `steps` periods later or earlier with a number. */
export function codeOf(totpUri: string, steps = 0): string {
  const secret = new URL(totpUri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / PERIOD_MS) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Gives the account an authenticator app with recovery codes, as setting one up leaves them. */
export async function newAuthenticatorApp(service: TestService, userId: string) {
  const { secretConfig: key } = await service.ctx.signIn.$context;
  const secret = randomBytes(24).toString('base64url');
  const codes = Array.from({ length: 10 }, () => randomBytes(5).toString('hex').replace(/^.{5}/, '$&-'));
  const sealed = async (data: string) => symmetricEncrypt({ key, data });
  await service.sql(
    'insert into second_factors (id, user_id, secret, backup_codes, verified) values ($1, $1, $2, $3, true)',
    [userId, await sealed(secret), await sealed(JSON.stringify(codes))],
  );
  return { codes, uri: `otpauth://totp/svc?secret=${base32(Buffer.from(secret))}` };
}

/** Gives every owner of the workspace an authenticator app, unless they have one. */
export async function giveOwnersAnApp(service: TestService, workspaceId: number): Promise<void> {
  const owners = await service.sql<{ id: string }>(
    `select u.id from workspace_members m join users u on u.id = m.user_id
     where m.advertiser_id = $1 and m.role = 'owner' and not u.two_factor_enabled`,
    [workspaceId],
  );
  for (const { id } of owners) await newAuthenticatorApp(service, id);
}

/** The cookie of a sign-in that waits for the second factor, as the right password leaves it. */
export async function newChallenge(service: TestService, userId: string): Promise<{ name: string; value: string }> {
  const { internalAdapter, createAuthCookie, secret } = await service.ctx.signIn.$context;
  const id = `2fa-${randomBytes(10).toString('hex')}`;
  const expiresAt = new Date(Date.now() + 600_000);
  await internalAdapter.createVerificationValue({ value: userId, identifier: id, expiresAt });
  await internalAdapter.createVerificationValue({ value: '0', identifier: `2fa-attempts-${id}`, expiresAt });
  const signature = createHmac('sha256', secret).update(id).digest('base64');
  return { name: createAuthCookie('two_factor').name, value: encodeURIComponent(`${id}.${signature}`) };
}

function base32(data: Buffer): string {
  const bits = [...data].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

const hashOf = (data: string | Buffer) => createHash('sha256').update(data).digest();
const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** A device with one passkey for the origin. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  /** Whether the device checks who holds it. */
  verifiesUser = true;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer to `navigator.credentials.create`. */
  register({ challenge }: { challenge: string }): object {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [point, ordinate] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
    // The public key in COSE: type EC2, algorithm ES256, curve P-256, x and y.
    const cose = Buffer.concat([bytes('a5010203262001215820'), point, bytes('225820'), ordinate]);
    const length = Buffer.from([0, this.#id.length]);
    const data = Buffer.concat([this.#data(HAS_CREDENTIAL), Buffer.alloc(16), length, this.#id, cose]);
    const head = Buffer.concat([
      bytes('a363666d74646e6f6e656761747453746d74a0686175746844617461'),
      bytes('58'),
      Buffer.from([data.length]),
    ]);
    return this.#answer('webauthn.create', challenge, {
      attestationObject: Buffer.concat([head, data]).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get`. */
  signIn({ challenge }: { challenge: string }): object {
    const data = this.#data();
    const client = Buffer.from(this.#clientData('webauthn.get', challenge));
    const signature = sign('sha256', Buffer.concat([data, hashOf(client)]), this.#keys.privateKey);
    return this.#answer('webauthn.get', challenge, {
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #data(flags = 0): Buffer {
    const all = flags | USER_PRESENT | (this.verifiesUser ? USER_VERIFIED : 0);
    return Buffer.concat([hashOf(new URL(this.#origin).hostname), Buffer.from([all]), Buffer.alloc(4)]);
  }

  #clientData(type: string, challenge: string): string {
    return JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false });
  }

  #answer(type: string, challenge: string, response: object): object {
    const id = this.#id.toString('base64url');
    const clientDataJSON = Buffer.from(this.#clientData(type, challenge)).toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: { clientDataJSON, ...response } };
  }
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');
