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
