import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const FEED = '/api/v1/events';

/** Reads the feed until an event of the type arrives, and returns everything up to then. */
async function eventsUntil(key: string, type: string) {
  const events: { type: string; sequence: number; data: Record<string, unknown> }[] = [];
  let after = 0;
  while (!events.some((event) => event.type === type)) {
    const { status, body } = await service.call('GET', `${FEED}?after=${after}&wait=5`, { key });
    expect(status).toBe(200);
    events.push(...body.data);
    after = body.meta.next_cursor;
  }
  return events;
}

describe('a sale', () => {
  it('is told with its commission, numbered, as the lists show them', async () => {
    const on = await service.program();
    await service.customer(on, 'jane@example.com');
    const transactionId = newId('order');
    const sale = { transaction_id: transactionId, amount_cents: 10_000, customer_key: 'jane@example.com' };
    await service.sale(sale, { key: on.apiKey });
    const events = await eventsUntil(on.apiKey, 'commission.created');
    expect(events.map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'partner.joined'],
      [2, 'lead.created'],
      [3, 'sale.created'],
      [4, 'commission.created'],
    ]);
    expect(events[2]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'sale.created',
      timestamp: service.time.toISOString(),
      program_id: on.program.id,
      sequence: 3,
      data: {
        sale: expect.objectContaining({
          transaction_id: transactionId,
          amount_cents: 10_000,
          customer_key: 'j***@example.com',
          partner_id: on.partnerId,
          commission_status: 'pending',
          base_cents: 10_000,
          created_at: service.time.toISOString(),
        }),
        decision: {
          id: expect.any(Number),
          reason: 'sale_attributed',
          sentence: 'The sale was recorded and the partner earned a commission.',
        },
      },
    });
  });
});
