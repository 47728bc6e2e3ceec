import { manageDeliveries, manageFeedEvents, manageWebhooks } from '@svc/contract';
import { z } from 'zod';
import type { CallRoute } from './call-route.ts';
import { type Args, ofProgram, programId, type Tool } from './tool.ts';

const USUAL_COUNT = 20;
const MAX_PER_ENDPOINT = 100;

/** Tools about what the service tells the outside: events, the endpoints that they are sent to, and what did not arrive. */
export const eventTools: Tool[] = [
  {
    name: 'list_events',
    title: 'List events',
    description: 'What has happened in a program, newest first, in words: sales, commissions, payouts and others.',
    for: 'brand',
    input: z.strictObject({ program_id: programId, ...manageFeedEvents.query.shape }),
    does: { reads: (call, { program_id, ...query }) => call(manageFeedEvents, { params: { program_id }, query }) },
  },
  {
    name: 'list_webhooks',
    title: 'List webhook endpoints',
    description: 'The addresses that events are sent to, and since when one has been failing.',
    for: 'brand',
    input: z.strictObject({ program_id: programId }),
    does: { reads: (call, args) => call(manageWebhooks, { params: ofProgram(args) }) },
  },
  {
    name: 'list_failed_deliveries',
    title: 'List failed deliveries',
    description: 'Events that did not arrive at a webhook endpoint, or at any, and are not tried again.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      webhook_id: z.int().positive().optional(),
      limit: z.int().min(1).max(MAX_PER_ENDPOINT).optional(),
    }),
    does: { reads: listFailed },
  },
];

async function listFailed(call: CallRoute, { program_id, webhook_id: only, limit = USUAL_COUNT }: Args) {
  const { data: endpoints } = await call(manageWebhooks, { params: { program_id } });
  const webhooks = [];
  for (const { id, url, status, failing_since } of endpoints.filter((each) => only === undefined || each.id === only)) {
    const query = { status: 'failed' as const, limit };
    const { data, meta } = await call(manageDeliveries, { params: { program_id, webhook_id: id }, query });
    const endpoint = { id, url, status, failing_since };
    webhooks.push({ ...endpoint, failed_deliveries: data, has_more: meta.next_cursor !== null });
  }
  return { webhooks };
}
