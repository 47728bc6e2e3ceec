import { ownedProgram } from '@svc/testkit/service/accounts.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';
import { parseClickId } from '../customers/click-id.ts';
import { recordLeads } from './record-lead.ts';

const service = useService();

const BROWSER = { mode: 'browser', namedProgramId: undefined, origin: undefined } as const;

async function toldOf({ apiKey }: TestProgram, clickId: string): Promise<string[]> {
  await expect.poll(() => service.sql('select 1 from outbox')).toEqual([]);
  const { body } = await service.call('GET', '/api/v1/events?limit=200', { key: apiKey });
  const { customerId } = parseClickId(clickId)!;
  const told = body.data as { type: string; data: Record<string, Record<string, unknown>> }[];
  return told
    .filter(({ data: { customer, commission } }) => (customer?.id ?? commission?.customer_id) === customerId)
    .map(({ type }) => type);
}

it('a commission for a signup that is reported and confirmed at the same moment is announced once', async () => {
  const made = await ownedProgram(service);
  await service.sql(`update programs set lead_auth = 'server_required' where id = $1`, [made.program.id]);
  await publish(service, made, [{ on: 'lead', pays: { type: 'fixed', rate: 10 } }]);
  service.ctx.lookup.forgetAll();
  const program = (await service.ctx.lookup.program(made.program.id))!;
  const clickId = await service.clickId(made.link);
  service.advance({ seconds: 1 });
  const lead = { clickId, customerKey: newId('user'), email: undefined, isTest: false, requestId: null };
  const outcomes = await recordLeads(service.ctx, [
    { caller: BROWSER, lead },
    { caller: { mode: 'server', program }, lead },
  ]);
  expect(outcomes).toMatchObject([{ is: 'recorded' }, { is: 'recorded' }]);
  expect(await toldOf(made, clickId)).toEqual(['lead.created', 'lead.confirmed', 'commission.created']);
});

it('a signup that takes over the key of another one was created once, and is confirmed', async () => {
  const made = await ownedProgram(service);
  const [first, second] = [await service.clickId(made.link), await service.clickId(made.link)];
  service.advance({ seconds: 1 });
  const key = newId('user');
  await service.lead({ click_id: first, customer_key: key });
  await service.lead({ click_id: second, customer_key: newId('user') });
  expect((await service.lead({ click_id: second, customer_key: key }, { key: made.apiKey })).status).toBe(200);
  const [holder] = await service.sql('select id from customers where customer_key = $1', [key]);
  expect(holder).toEqual({ id: parseClickId(second)?.customerId });
  expect(await toldOf(made, second)).toEqual(['lead.created', 'lead.confirmed']);
});
