import type { TermsRule } from '@svc/contract';
import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useMailingService } from '@svc/testkit/service/mailbox.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { expect, it } from 'vitest';

const { service, mailbox } = useMailingService();

const NET = 'Tax and shipping do not count';
const OF_EVERYONE = ['20% of each sale and renewal', NET];
const OF_GOLD = [
  '30% of each sale, not of renewals, at most $100.00 per sale; otherwise 20% of each sale and renewal',
  NET,
];

const call = (made: OwnedProgram, method: string, path: string, body?: object, key = made.owner.token) =>
  service.call(method, manage(made, path), { key, body });

/** A program that pays renewals, with a group that gets more of sales. */
async function withGold() {
  const made = await ownedProgram(service, { commissionType: 'recurring_percent', joining: 'on_approval' });
  await service.sql('update users set email_verified = true where id = $1', [made.owner.userId]);
  const { id: gold } = (await call(made, 'POST', '/groups', { name: 'Gold' })).body.data;
  const rule: TermsRule = {
    on: 'sale',
    for: { group_id: gold },
    pays: { type: 'percent', rate: 30 },
    caps: { per_sale_cents: 10_000 },
  };
  await publish(service, made, [rule]);
  return { made, gold };
}

const lookUp = async (url: string) => {
  const body = { token: new URL(url).hash.slice(1) };
  const found = await service.call('POST', '/api/v1/manage/invitations/look-up', { body });
  return found.body.data.offers[0].earnings;
};

it('a partner of a group reads what that group earns, in the same words on every page and in every mail', async () => {
  const { made, gold } = await withGold();
  await call(made, 'PATCH', `/partners/${made.partnerId}`, { group_id: gold });
  const { token } = await partnerAccount(service, made.partnerId);
  const me = await service.call('GET', '/api/v1/manage/me', { key: token });
  expect(me.body.data.partner_of[0].earnings).toEqual(OF_GOLD);
  expect((await call(made, 'GET', '/partner-terms', undefined, token)).body.data.earnings).toEqual(OF_GOLD);

  const email = `kim-${made.program.id}@partner.test`;
  const invited = (await call(made, 'POST', '/partners', { name: 'Kim', email })).body.data;
  expect(await lookUp(invited.invite_url)).toEqual(OF_EVERYONE);
  const words = async () => (await mailbox.next(email)).text.replaceAll('\n', ' ');
  expect(await words()).toContain(`You earn ${OF_EVERYONE.join('. ')}.`);
  await call(made, 'PATCH', `/partners/${invited.id}`, { group_id: gold });
  const again = (await call(made, 'POST', `/partners/${invited.id}/invitation`)).body.data;
  expect(await lookUp(again.invite_url)).toEqual(OF_GOLD);
  expect(await words()).toContain(`You earn ${OF_GOLD.join('. ')}.`);
});

it('people with the join link read what a new partner earns, and so does the brand', async () => {
  const { made } = await withGold();
  const { body } = await call(made, 'GET', '');
  expect(body.data.earnings).toEqual(OF_EVERYONE);
  expect(await lookUp(body.data.join_url)).toEqual(OF_EVERYONE);
});

it('rules that begin later are not what a partner earns yet', async () => {
  const made = await ownedProgram(service);
  const begins = new Date(service.time.getTime() + 86_400_000);
  const rules = [{ on: 'sale', pays: { type: 'fixed', rate: 7.5 } }];
  await call(made, 'POST', '/terms', { rules, effective_from: begins.toISOString() });
  const earnings = async () => (await call(made, 'GET', '')).body.data.earnings;
  await expect.poll(earnings).toEqual(['20% of each sale, not of renewals', NET]);
  service.time = new Date(begins.getTime() + 60_000);
  await expect.poll(earnings).toEqual(['$7.50 for each sale, not for renewals']);
});
