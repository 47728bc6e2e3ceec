import type { SvcEvents, SvcTestEvent } from './events.ts';
import { SvcError } from './svc-error.ts';

const TOLERANCE_SECONDS = 300;

/** The headers of a standard Request, or of Express, Fastify and Node, or any object with them. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { [name: string]: string | string[] | undefined };

export type VerifyOptions = {
  /** How old a delivery may be, and how far ahead its clock: 300 by default. */
  toleranceSeconds?: number;
  /** The time to compare with, in milliseconds. */
  now?: number;
};

/** What a webhook tells: an event, or a test that was sent from the dashboard. */
export type SvcWebhook = SvcEvents[keyof SvcEvents] | SvcTestEvent;

/**
 * Verifies a delivery of the service and resolves with its event. `body` is the body as it was received: parsed JSON has lost the
 * bytes that were signed. Rejects with a `SvcError` with the code `invalid_signature` for anything that the service has not signed
 * within the tolerance. While a secret is being replaced, pass both.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<SvcWebhook> {
  const keys = await Promise.all([secret].flat().map(importSecret));
  if (keys.length === 0) throw badSecret();
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures)
    throw invalid('The request lacks a webhook-id, webhook-timestamp or webhook-signature header');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('The webhook-timestamp header is not a time in seconds');
  const age = now / 1000 - Number(timestamp);
  if (age > toleranceSeconds) throw invalid('The delivery is too old');
  if (age < -toleranceSeconds) throw invalid('The delivery is from the future: check the clock of this server');
  const bytes = bytesOf(body);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? decoded(part.slice(3)) : []));
  for (const key of keys) {
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
    if (given.some((signature) => isSame(signature, expected))) return JSON.parse(new TextDecoder().decode(bytes));
  }
  throw invalid('No signature fits the body and the secret');
}

/** A header of any of the frameworks; in plain objects, whatever the case of its name. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : (found as string | undefined);
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not instanceof: test runners and edge platforms hand over bytes of another realm.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body);
  throw new SvcError('Pass the body of the webhook as it was received, before it is parsed', {
    code: 'invalid_request',
    isRetryable: false,
  });
}

function joined(start: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(start.length + rest.length);
  all.set(start);
  all.set(rest, start.length);
  return all;
}

/** Takes the same time wherever the bytes differ. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  return one.reduce((difference, byte, index) => difference | (byte ^ (other[index] as number)), 0) === 0;
}

async function importSecret(secret: string) {
  const [bytes] = typeof secret === 'string' ? decoded(secret.replace(/^whsec_/, '')) : [];
  if (!bytes?.length) throw badSecret();
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** The bytes of a text in base64, or nothing. */
function decoded(text: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(text), (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
}

const badSecret = () =>
  new SvcError('The webhook secret is missing or incomplete: it is whsec_ and base64', {
    code: 'not_configured',
    isRetryable: false,
  });

const invalid = (message: string) => new SvcError(message, { code: 'invalid_signature', isRetryable: false });
