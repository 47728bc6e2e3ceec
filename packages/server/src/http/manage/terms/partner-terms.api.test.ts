import type { TermsRule } from '@svc/contract';
import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { expect, it } from 'vitest';

const service = useService();

const call = (made: OwnedProgram, method: string, path: string, body?: object, key = made.owner.token) =>
  service.call(method, manage(made, path), { key, body });
const percent = (rate: number, parts: Partial<TermsRule> = {}): TermsRule => ({
  on: 'sale',
  pays: { type: 'percent', rate },
  ...parts,
});

/** A partner in the group Gold, and another partner. */
async function goldPartner() {
  const made = await ownedProgram(service);
  const other = await service.partner(made.program);
  const { id: gold } = (await call(made, 'POST', '/groups', { name: 'Gold' })).body.data;
  await call(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: gold });
  return { made, other, gold };
}

it('a partner reads only the rules that can pay them, under the numbers that Explain uses', async () => {
  const { made, other, gold } = await goldPartner();
  await publish(service, made, [
    percent(40, { for: { partner_id: other.partnerId } }),
    percent(25, { for: { group_id: gold } }),
    percent(5, { pays: { to: 'recruiter', type: 'percent', rate: 5 } }),
  ]);
  const { token } = await partnerAccount(service, made.partnerId);
  const own = await call(made, 'GET', '/partner-terms', undefined, token);
  expect(own).toMatchObject({
    status: 200,
    body: {
      data: {
        version: 2,
        group_name: 'Gold',
        commission: '20% per sale',
        earnings: ['25% of each sale, not of renewals', 'Tax and shipping do not count'],
        rules: [{ rule: 2, description: '25% of each sale, not of renewals' }],
      },
    },
  });
  // A partner cannot ask about another one.
  const asked = await call(made, 'GET', `/partner-terms?partner_id=${other.partnerId}`, undefined, token);
  expect(asked.body).toEqual(own.body);
  // Who recruited somebody also reads what recruiters get.
  await call(made, 'PATCH', `/partners/${made.partnerId}`, { recruiter_id: other.partnerId });
  const of = async (id: number) => (await call(made, 'GET', `/partner-terms?partner_id=${id}`)).body.data;
  expect((await of(other.partnerId)).rules.map(({ rule }: { rule: number }) => rule)).toEqual([1, 3]);
  expect((await call(made, 'GET', '/partner-terms')).body).toEqual(badRequest('partner_id is required', 'partner_id'));
  expect((await call(made, 'GET', '/partner-terms?partner_id=999999999')).status).toBe(404);
});

it('a partner who asks about an order is told what it was paid for, without numbers of rules', async () => {
  const { made, gold } = await goldPartner();
  await publish(service, made, [percent(25, { for: { group_id: gold } })]);
  const { transactionId } = await sold(service, made);
  const { token } = await partnerAccount(service, made.partnerId);
  const { body } = await call(made, 'POST', '/questions', { transaction_id: transactionId }, token);
  expect(body.data.answers).toMatchObject([
    { answer: 'credited', commission: { amount_cents: 2500, terms: '25% of each sale, not of renewals' } },
  ]);
});

it('rules for a new group are tried on the past with the groups of today, if asked', async () => {
  const made = await ownedProgram(service);
  await sold(service, made);
  service.advance({ days: 1 });
  const { id: gold } = (await call(made, 'POST', '/groups', { name: 'Gold' })).body.data;
  await call(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: gold });
  const rules = [percent(25, { for: { group_id: gold } })];
  const simulate = async (parts: object) =>
    (await call(made, 'POST', '/terms/simulate', { rules, from: '2020-01-01', to: '2030-01-01', ...parts })).body;
  const total = (simulated: number) => [{ currency: 'USD', actual_cents: 2000, simulated_cents: simulated }];
  expect((await simulate({})).data).toMatchObject({ matches_actual: true, totals: total(2000), largest: [] });
  expect((await simulate({ groups: 'now' })).data).toMatchObject({ matches_actual: true, totals: total(2500) });
  expect((await simulate({ groups: 'later' })).error.message).toBe('groups must be then or now');
});
