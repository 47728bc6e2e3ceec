import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { mcpClient } from '@svc/testkit/service/mcp-client.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService({ SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const receiver = useReceiver();

type Made = Awaited<ReturnType<typeof ownedProgram>>;
type Event = { sequence: number; type: string };

/** Waits until the events of a sale are numbered. */
async function numbered({ apiKey }: Made, last: number): Promise<void> {
  for (let after = 0; after < last; ) {
    const { body } = await service.call('GET', `/api/v1/events?after=${after}&wait=30`, { key: apiKey });
    after = body.meta.next_cursor;
  }
}

async function endpoint(made: Made, path: string) {
  const body = { url: receiver.url(path), types: ['*'] };
  return (await asOwner(service, made, 'POST', '/webhooks', body)).body.data as { id: number; secret: string };
}

describe('the tools about events', () => {
  it('list the newest events, the page after them, and those of some types', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    await numbered(made, 4);
    const { run } = await mcpClient(service, made.owner);
    const read = async (args: object) => {
      const { result } = await run('list_events', { program_id: made.program.id, ...args });
      return { seen: result.data.map(({ sequence, type }: Event) => [sequence, type]), meta: result.meta };
    };
    const all = [
      [4, 'commission.created'],
      [3, 'sale.created'],
      [2, 'lead.created'],
      [1, 'partner.joined'],
    ];
    expect(await read({})).toMatchObject({ seen: all, meta: { next_cursor: null } });
    const newest = await read({ limit: 3 });
    expect(newest.seen).toEqual(all.slice(0, 3));
    expect(await read({ limit: 3, cursor: newest.meta.next_cursor })).toMatchObject({
      seen: all.slice(3),
      meta: { next_cursor: null },
    });
    expect((await read({ types: 'sale.created,lead.created' })).seen).toEqual(all.slice(1, 3));
    const { isError, text } = await run('list_events', { program_id: made.program.id, types: 'sale.made' });
    expect([isError, text]).toEqual([true, expect.stringContaining('Unknown event type: sale.made')]);
  });

  it('list endpoints without their secrets, and what did not arrive at them', async () => {
    const made = await ownedProgram(service);
    const [broken, fine] = [`/${newId('hook')}`, `/${newId('hook')}`];
    receiver.answer(broken, { status: 500, body: 'out of order' });
    const first = await endpoint(made, broken);
    const second = await endpoint(made, fine);
    for (const { id } of [first, second]) await asOwner(service, made, 'POST', `/webhooks/${id}/test`);
    const { run } = await mcpClient(service, made.owner);
    const program_id = made.program.id;
    const { result: listed, text } = await run('list_webhooks', { program_id });
    expect(listed.data.map(({ id, url }: { id: number; url: string }) => [id, url])).toEqual([
      [first.id, receiver.url(broken)],
      [second.id, receiver.url(fine)],
    ]);
    expect(text).not.toContain('whsec_');
    const failed = {
      type: 'webhook.test',
      status: 'failed',
      last_status: 500,
      response_body: 'out of order',
    };
    expect((await run('list_failed_deliveries', { program_id })).result.webhooks).toEqual([
      expect.objectContaining({
        id: first.id,
        url: receiver.url(broken),
        failed_deliveries: [expect.objectContaining(failed)],
        has_more: false,
      }),
      expect.objectContaining({ id: second.id, failed_deliveries: [], has_more: false }),
    ]);
    const { result: only } = await run('list_failed_deliveries', { program_id, webhook_id: second.id, limit: 1 });
    expect(only.webhooks).toEqual([expect.objectContaining({ id: second.id, failed_deliveries: [] })]);
  });

  it('show nothing of the programs of others', async () => {
    const made = await ownedProgram(service);
    const other = await ownedProgram(service);
    const { run } = await mcpClient(service, other.owner);
    for (const tool of ['list_events', 'list_webhooks', 'list_failed_deliveries']) {
      const { isError, text } = await run(tool, { program_id: made.program.id });
      expect([tool, isError, text]).toEqual([tool, true, expect.stringContaining('The service answered 404')]);
    }
  });
});
