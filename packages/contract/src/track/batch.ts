import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { MAX_BATCH_ITEMS, MAX_LARGE_BODY_BYTES } from '../values/limits.ts';
import { trackLead } from './lead.ts';
import { trackRefund } from './refund.ts';
import { trackSale } from './sale.ts';

/** What a batch can hold, and the route that each kind of item stands for. */
export const BATCH_ROUTES = { lead: trackLead, sale: trackSale, refund: trackRefund } as const;
export type BatchItemType = keyof typeof BATCH_ROUTES;

const types = Object.keys(BATCH_ROUTES) as BatchItemType[];

/** The name of the route's schema in the API description. */
function schemaRef(type: BatchItemType, part: 'Request' | 'Reply') {
  const { id } = BATCH_ROUTES[type];
  return { $ref: `#/components/schemas/${id.charAt(0).toUpperCase()}${id.slice(1)}${part}` };
}

/** What an item of the type looks like: the type, and the body of its route. */
function describeItem(type: BatchItemType) {
  const named = { type: 'object', properties: { type: { type: 'string', const: type } }, required: ['type'] } as const;
  return { allOf: [named, schemaRef(type, 'Request')] };
}

const ITEMS = `items must be a list of 1 to ${MAX_BATCH_ITEMS} leads, sales and refunds`;

export const trackBatch = defineRoute({
  id: 'trackBatch',
  method: 'POST',
  path: '/api/v1/track/batch',
  summary: 'Record up to 1,000 leads, sales and refunds',
  description:
    'Every item gets the status and the body that its own route would have given, in the order sent. An item may rely on one before it, and one that is refused does not affect the others. The batch counts as one request. Call this from your backend only.',
  auth: 'program-key',
  bucket: 'sale',
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  body: z.object({
    items: z
      .array(z.unknown(), { error: ITEMS })
      .min(1, { error: ITEMS })
      .max(MAX_BATCH_ITEMS, { error: ITEMS })
      .describe('Each item has a `type`, `lead`, `sale` or `refund`, and the fields of that route.')
      .meta({ items: { anyOf: types.map(describeItem) } }),
  }),
  example: {
    items: [
      { type: 'lead', click_id: 'cust_1_1760000000000', customer_key: 'user_42' },
      { type: 'sale', transaction_id: 'order_1001', customer_key: 'user_42', amount_cents: 4900 },
      { type: 'refund', transaction_id: 'order_1001', refund_amount_cents: 1000, refund_id: 'refund_1' },
    ],
  },
  reply: z.object({
    success: z.literal(true),
    data: z.object({
      results: z.array(
        z.object({
          index: z.int().describe('The position of the item in the request, from 0.'),
          status: z.int().describe('The status that the item’s own route would have given.'),
          body: z
            .record(z.string(), z.unknown())
            .describe('The body that the item’s own route would have given, of a success or of an error.')
            .meta({
              anyOf: [...types.map((type) => schemaRef(type, 'Reply')), { $ref: '#/components/schemas/Error' }],
            }),
        }),
      ),
    }),
  }),
  fail: () => errors.internal('Batch tracking failed'),
  statuses: [400, 401, 413],
});
