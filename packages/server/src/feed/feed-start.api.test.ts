import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** A program with four numbered events. */
async function withFourEvents() {
  const made = await service.program();
  const id = newId('order');
  await service.customer(made, `user-${id}`);
  await service.sale({ transaction_id: id, amount_cents: 10_000, customer_key: `user-${id}` }, { key: made.apiKey });
  const read = async (query: string) => {
    const { status, body } = await service.call('GET', `/api/v1/events?${query}`, { key: made.apiKey });
    const sequences = body.data?.map(({ sequence }: { sequence: number }) => sequence);
    return { status, sequences, meta: body.meta, message: body.error?.message };
  };
  for (let after = 0; after < 4; ) after = (await read(`after=${after}&wait=30`)).meta.next_cursor;
  return { made, read };
}

describe('the feed with last', () => {
  it('starts with so many of the newest events', async () => {
    const { read } = await withFourEvents();
    const meta = { next_cursor: 4, has_more: false };
    expect(await read('last=2')).toMatchObject({ status: 200, sequences: [3, 4], meta });
    expect(await read('last=0')).toMatchObject({ status: 200, sequences: [], meta });
    expect(await read('last=200')).toMatchObject({ status: 200, sequences: [1, 2, 3, 4], meta });
    expect(await read('last=3&limit=1')).toMatchObject({ sequences: [2], meta: { next_cursor: 2, has_more: true } });
    expect(await read('last=3&types=sale.created')).toMatchObject({ sequences: [3], meta });
  });

  it('starts with the oldest event that is kept if there are not so many', async () => {
    const { made, read } = await withFourEvents();
    await service.sql('delete from feed_events where program_id = $1 and sequence <= 3', [made.program.id]);
    expect(await read('last=3')).toMatchObject({ status: 200, sequences: [4] });
    await service.sql('delete from feed_events where program_id = $1', [made.program.id]);
    expect(await read('last=3')).toMatchObject({ status: 200, sequences: [], meta: { next_cursor: 4 } });
  });

  it('refuses what is not a count, and two places to start', async () => {
    const { read } = await withFourEvents();
    const message = 'last must be a whole number from 0 to 200';
    for (const last of ['-1', '201', '1.5', 'all']) {
      expect(await read(`last=${last}`)).toMatchObject({ status: 400, message });
    }
    expect(await read('after=1&last=1')).toMatchObject({ status: 400, message: 'Pass after or last, not both' });
  });
});
