import { useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf } from '@svc/testkit/service/tracking.ts';
import { expect, it } from 'vitest';

const service = useService();

const ALREADY_LEAD = badRequest('Customer status cannot be updated to lead. Current status: lead');

/** A page of another partner's visitor has claimed `user-42` before the real customer signs up. */
async function claimedByPage() {
  const acme = await service.program();
  const thief = await service.partner(acme.program);
  const planted = await service.clickId(thief.link);
  await service.lead({ click_id: planted, customer_key: 'user-42' });
  const honest = await service.clickId(acme.link);
  return { acme, planted, honest };
}

const sell = (apiKey: string, customerKey: string, id: number) =>
  service.sale({ transaction_id: `takeover-${id}`, customer_key: customerKey, amount_cents: 1_000 }, { key: apiKey });

it('a server-side lead with another click takes the key over, and its partner earns the commission', async () => {
  const { acme, planted, honest } = await claimedByPage();
  const lead = await service.lead({ click_id: honest, customer_key: 'user-42' }, { key: acme.apiKey });
  expect(lead.body).toEqual({ success: true, message: 'Lead tracked successfully' });
  expect(await customerOf(service, honest)).toMatchObject({ customer_key: 'user-42', status: 'lead' });
  expect(await customerOf(service, planted)).toMatchObject({ customer_key: null, claimed_customer_key: 'user-42' });
  expect((await decisionsOf(service, acme)).at(-1)).toMatchObject({
    reason: 'lead_took_over_key',
    outcome: 'recorded',
    facts: { key_taken_from: Number(planted.split('_')[1]) },
  });

  await sell(acme.apiKey, 'user-42', acme.program.id);
  const paid = await service.sql('select partner_id from commissions where program_id = $1', [acme.program.id]);
  expect(paid).toEqual([{ partner_id: acme.partnerId }]);
});

it('the key is not taken over once the customer of the page has bought', async () => {
  const { acme, planted, honest } = await claimedByPage();
  await sell(acme.apiKey, 'user-42', acme.program.id);
  const lead = await service.lead({ click_id: honest, customer_key: 'user-42' }, { key: acme.apiKey });
  expect(lead.body).toEqual(badRequest('Customer status cannot be updated to lead. Current status: conversion'));
  expect(await customerOf(service, planted)).toMatchObject({ customer_key: 'user-42' });
});

it('neither a page nor a server-side lead without a click takes the key over', async () => {
  const { acme, planted, honest } = await claimedByPage();
  expect((await service.lead({ click_id: honest, customer_key: 'user-42' })).body).toEqual(ALREADY_LEAD);
  expect((await service.lead({ customer_key: 'user-42' }, { key: acme.apiKey })).body).toEqual(ALREADY_LEAD);
  expect(await customerOf(service, planted)).toMatchObject({ customer_key: 'user-42' });
});

/** A page has guessed the click of an honest visitor and signs it up under a key that is nobody's. */
async function junkOnClick(leadAuth: 'browser_allowed' | 'server_required') {
  const acme = await service.program({ leadAuth });
  const clickId = await service.clickId(acme.link);
  expect((await service.lead({ click_id: clickId, customer_key: 'junk' })).status).toBe(200);
  const lead = () => service.lead({ click_id: clickId, customer_key: 'user-42' }, { key: acme.apiKey });
  const paidTo = async () =>
    (await service.sql('select partner_id from commissions where program_id = $1', [acme.program.id])).map(
      (row) => row.partner_id,
    );
  return { acme, clickId, lead, paidTo };
}

it('junk on a guessed click is overruled by the server’s lead where pages only claim', async () => {
  const { acme, lead, paidTo } = await junkOnClick('server_required');
  expect((await lead()).status).toBe(200);
  expect((await sell(acme.apiKey, 'user-42', acme.program.id)).status).toBe(200);
  expect(await paidTo()).toEqual([acme.partnerId]);
});

it('where pages are trusted, junk on a guessed click costs the lead, and no sale that names the click', async () => {
  const { acme, clickId, lead, paidTo } = await junkOnClick('browser_allowed');
  expect((await lead()).body).toEqual(ALREADY_LEAD);
  const sale = { transaction_id: `junk-${acme.program.id}`, customer_key: 'user-42', amount_cents: 1_000 };
  const byKey = await service.sale(sale, { key: acme.apiKey });
  expect(byKey.body).toEqual(badRequest('Customer not found. Provide customer_key or click_id.'));
  expect((await service.sale({ ...sale, click_id: clickId }, { key: acme.apiKey })).status).toBe(200);
  expect(await paidTo()).toEqual([acme.partnerId]);
});
