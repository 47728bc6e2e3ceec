import { standardSigned } from './standard-webhooks.ts';

const KEY = 'a key of 24 bytes or more, for tests';
export const CUSTOM_SECRET = `whsec_${Buffer.from(KEY).toString('base64')}`;

/** Signs an event as a shop does. */
export function customSigned(payload: string, at: Date, id?: string, key = KEY): Record<string, string> {
  return standardSigned(payload, Buffer.from(key), at, id);
}
