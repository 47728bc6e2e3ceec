import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const FOREIGN = 'https://elsewhere.test';
const clickFrom = (link: string, origin: string) =>
  service.click({ affiliate_url: `https://acme.test/?aff=${link}` }, { headers: { origin }, ip: newAddress() });

async function refusedCalls(acme: TestProgram) {
  const { token } = await memberOf(service, acme.workspaceId);
  return (await service.call('GET', manage(acme, '/refused-calls'), { key: token })).body.data;
}

const rowsOf = (table: string, { program }: TestProgram) =>
  service.sql(`select * from ${table} where program_id = $1 order by 1`, [program.id]);

describe('refused calls from web pages', () => {
  it('are counted by reason and origin, and nothing about the caller is stored', async () => {
    const acme = await service.program();
    const click_id = await service.clickId(acme.link);
    for (let call = 0; call < 3; call += 1) expect((await clickFrom(acme.link, FOREIGN)).status).toBe(403);
    const lead = { click_id, customer_key: 'planted', email: 'who@corp.test', additional_data: { note: 'planted' } };
    const refused = await service.lead(lead, { headers: { origin: FOREIGN } });
    expect(refused.status).toBe(403);

    const calls = await refusedCalls(acme);
    expect(calls).toHaveLength(2);
    expect(calls).toEqual(
      expect.arrayContaining([
        { kind: 'click', reason: 'origin_not_allowed', origin: FOREIGN, calls: 3, last_at: expect.any(String) },
        { kind: 'lead', reason: 'origin_not_allowed', origin: FOREIGN, calls: 1, last_at: expect.any(String) },
      ]),
    );
    expect(await rowsOf('decisions', acme)).toEqual([]);
  });

  it('on a disabled link are counted too', async () => {
    const acme = await service.program();
    await service.sql('update links set active = false where short_link = $1', [acme.link]);
    expect((await clickFrom(acme.link, 'https://acme.test')).status).toBe(410);
    expect(await refusedCalls(acme)).toMatchObject([
      { reason: 'link_disabled', origin: 'https://acme.test', calls: 1 },
    ]);
  });

  it('with invented origins fill at most 21 rows an hour', async () => {
    const acme = await service.program();
    for (let index = 0; index < 30; index += 1) await clickFrom(acme.link, `https://invented-${index}.test`);
    await clickFrom(acme.link, `https://${'x'.repeat(300)}.test`);
    const calls: { origin: string; calls: number }[] = await refusedCalls(acme);
    expect(calls).toHaveLength(21);
    expect(calls.find(({ origin }) => origin === 'other origins')).toMatchObject({ calls: 11 });
  });
});

it('the decision about a refused lead from a page does not store additional_data', async () => {
  const acme = await service.program();
  const click_id = await service.clickId(acme.link);
  await service.lead({ click_id });
  expect((await service.lead({ click_id, additional_data: { note: 'x' } })).status).toBe(400);
  expect((await rowsOf('decisions', acme)).map(({ reason, additional_data }) => [reason, additional_data])).toEqual([
    ['lead_recorded', null],
    ['lead_status_refused', null],
  ]);
});
