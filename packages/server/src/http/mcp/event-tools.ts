import { manageDeliveries, manageFeed, manageWebhooks } from '@svc/contract';
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
    description:
      'What has happened in a program, oldest first: sales, commissions, payouts and others, each with its sequence. Without ' +
      `\`after\` and \`last\`, the newest ${USUAL_COUNT}. Page with \`after\`: it is the \`next_cursor\` of the page before.`,
    for: 'brand',
    input: z.strictObject({ program_id: programId, ...manageFeed.query.shape }),
    does: { reads: readFeed },
  },
  {
    name: 'list_webhooks',
    title: 'List webhook endpoints',
    description:
      'The addresses that events are sent to, with their types and status, and since when one has been failing.',
    for: 'brand',
    input: z.strictObject({ program_id: programId }),
    does: { reads: (call, args) => call(manageWebhooks, { params: ofProgram(args) }) },
  },
  {
    name: 'list_failed_deliveries',
    title: 'List failed deliveries',
    description:
      'Events that did not arrive at a webhook endpoint and are not tried again, newest first, with what the endpoint answered. ' +
      'Of one endpoint, or of all.',
    for: 'brand',
    input: z.strictObject({
      program_id: programId,
      webhook_id: z.int().positive().optional().describe('list_webhooks has the ids.'),
      limit: z.int().min(1).max(MAX_PER_ENDPOINT).optional().describe(`Per endpoint; ${USUAL_COUNT} by default.`),
    }),
    does: { reads: listFailed },
  },
];

function readFeed(call: CallRoute, { program_id, ...query }: Args) {
  const isPlaced = query.after !== undefined || query.last !== undefined;
  return call(manageFeed, { params: { program_id }, query: isPlaced ? query : { ...query, last: USUAL_COUNT } });
}

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
