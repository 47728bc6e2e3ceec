import type { FeedEvent, WebhookFormat } from '@svc/contract';
import { Webhook } from 'standardwebhooks';
import { describeEvent, type TestEvent } from './describe-event.ts';

const SUPPRESS_EMBEDS = 4;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'svc-webhooks' };

/** The bytes that an endpoint gets for an event: the same at every attempt. `event` is what the feed says, byte for byte. */
export function bodyFor(format: WebhookFormat, event: string): string {
  if (format === 'json') return event;
  const sentence = describeEvent(format, JSON.parse(event) as FeedEvent | TestEvent);
  if (format === 'slack') return JSON.stringify({ text: sentence });
  // Names in sentences must not call the people of a channel, or show pages in it.
  return JSON.stringify({ content: sentence, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS });
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
