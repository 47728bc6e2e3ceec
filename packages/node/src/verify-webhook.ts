import { SvcError } from './svc-error.ts';

const TOLERANCE_SECONDS = 300;

type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { [name: string]: string | string[] | undefined };

export type VerifyOptions = {
  /** How old a delivery may be, and how far ahead its clock: five minutes by default. */
  toleranceSeconds?: number;
  /** The time to compare with, in milliseconds. */
  now?: number;
};

/**
 * Verifies a delivery of the service and returns its event. `body` is the body as it was received: parsed JSON has lost the bytes
 * that were signed. Throws a `SvcError` with the code `invalid_signature` for anything that the service has not sent within the
 * tolerance. While a secret is being replaced, pass both.
 */
export async function verifyWebhook<Event = unknown>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures)
    throw invalid('The request lacks a webhook-id, -timestamp or -signature header.');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('The webhook-timestamp is not a time in seconds.');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) throw invalid('The delivery is too old.');
  const encoder = new TextEncoder();
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const prefix = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  const keys = await Promise.all([secret].flat().map(importSecret));
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? decoded(part.slice(3)) : []));
  for (const key of keys) {
    for (const signature of given) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return JSON.parse(new TextDecoder().decode(bytes));
    }
  }
  throw invalid('No signature fits the body and the secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const value = (headers as Record<string, string | string[] | undefined>)[name];
  return Array.isArray(value) ? value[0] : value;
}

function importSecret(secret: string) {
  const bytes = decoded(secret.replace(/^whsec_/, ''))[0];
  if (!bytes?.length)
    throw new SvcError('The webhook secret must start with whsec_.', { code: 'not_configured', isRetryable: false });
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** The bytes of a text in base64, or nothing. */
function decoded(text: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(text), (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
}

const invalid = (message: string) => new SvcError(message, { code: 'invalid_signature', isRetryable: false });
