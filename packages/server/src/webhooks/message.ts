import type { FeedEvent, WebhookFormat } from '@svc/contract';
import { Webhook } from 'standardwebhooks';
import { describeEvent } from './describe-event.ts';

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'svc-webhooks' };

/** The bytes that an endpoint gets for an event: the same at every attempt. */
export function bodyFor(format: WebhookFormat, event: FeedEvent): string {
  if (format === 'slack') return JSON.stringify({ text: describeEvent(event) });
  // Names in sentences must not call the people of a channel.
  if (format === 'discord') return JSON.stringify({ content: describeEvent(event), allowed_mentions: { parse: [] } });
  return JSON.stringify(event);
}

/** The headers that are the same at every attempt. */
export const lastingHeaders = (eventId: string): Record<string, string> => ({ ...HEADERS, 'webhook-id': eventId });

/** The headers of a delivery, signed with every secret that is valid. */
export function headersFor(eventId: string, body: string, secrets: string[], now: Date): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, now, body));
  return {
    ...lastingHeaders(eventId),
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
