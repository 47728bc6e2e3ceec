import { createHmac } from 'node:crypto';
import { newId } from './stripe.ts';

/** The headers of a request that is signed as Standard Webhooks describes it. */
export function standardSigned(payload: string, key: Buffer, at: Date, id = newId('msg')): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'content-type': 'application/json',
  };
}
