import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { csvCells } from '@svc/testkit/service/csv-cells.ts';
import { connectStripe, deliver, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, refuseCommissions } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { reasons } from '../decisions/reasons.ts';
import { approveCommissions } from '../jobs/approve-commissions.ts';
import { explain } from '../reporting/explain.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';

const service = useService();

async function programOf(email: string, settings: Parameters<typeof ownedProgram>[1] = {}): Promise<OwnedProgram> {
  const made = await ownedProgram(service, settings);
  await service.sql('update partners set email = $2 where id = $1', [made.partnerId, email]);
  return made;
}

/** Somebody signs up with this e-mail and buys. */
async function sellTo(made: OwnedProgram, email: string | undefined, { isPage = false } = {}) {
  const [customer_key, transaction_id] = [newId('user'), newId('order')];
  const click_id = await service.clickId(made.link);
  await service.lead({ click_id, customer_key, email }, isPage ? {} : { key: made.apiKey });
  const { status, body } = await service.sale({ transaction_id, click_id, amount_cents: 10_000 }, { key: made.apiKey });
  return { status, transactionId: transaction_id, ...body.data };
}

const rowsFor = async (made: OwnedProgram, key = made.owner.token) =>
  (await service.call('GET', manage(made, '/commissions'), { key })).body.data;

const review = (made: OwnedProgram, id: number, verb: 'approve' | 'reject') =>
  service.call('POST', manage(made, `/commissions/${id}/${verb}`), { key: made.owner.token });

const held = { hold_reason: 'self_referral', status: 'pending', commission_cents: 2_000 };

describe('a commission on a sale to the partner themselves is held', () => {
  it.each([
    ['jane@corp.test', 'jane@corp.test'],
    ['jane@corp.test', ' JANE@corp.TEST '],
    ['jane@corp.test', 'jane+shop@corp.test'],
    ['jane+partner@corp.test', 'jane@corp.test'],
    ['jane.doe@gmail.com', 'janedoe+2@googlemail.com'],
  ])('partner %s, customer %s', async (partner, customer) => {
    const made = await programOf(partner);
    const sale = await sellTo(made, customer);
    expect(sale).toMatchObject({ status: 200, commission_cents: 2_000, attributed: true });
    expect(await rowsFor(made)).toMatchObject([{ id: sale.commission_id, ...held }]);
  });

  it.each(['john@corp.test', 'jane@other.test', 'j.ane@corp.test', undefined])('but not for %s', async (customer) => {
    const made = await programOf('jane@corp.test');
    await sellTo(made, customer);
    expect(await rowsFor(made)).toMatchObject([{ hold_reason: null, status: 'pending' }]);
  });

  it('for the e-mail of the partner’s account too', async () => {
    const made = await programOf('jane@corp.test');
    const { email } = await partnerAccount(service, made.partnerId);
    await sellTo(made, email);
    expect(await rowsFor(made)).toMatchObject([held]);
  });

  it('for an e-mail that a page claims, before and after the server confirms the signup', async () => {
    const made = await programOf('jane@corp.test', { leadAuth: 'server_required' });
    await sellTo(made, 'jane@corp.test', { isPage: true });
    const click_id = await service.clickId(made.link);
    const customer_key = newId('user');
    await service.lead({ click_id, customer_key, email: 'jane@corp.test' });
    await service.lead({ click_id, customer_key }, { key: made.apiKey });
    await service.sale({ transaction_id: newId('order'), customer_key, amount_cents: 10_000 }, { key: made.apiKey });
    expect(await rowsFor(made)).toMatchObject([held, held]);
  });

  it('for the e-mail of another partner only if that partner is credited', async () => {
    const made = await programOf('jane@corp.test');
    const other = await service.partner(made.program);
    await sellTo({ ...made, link: other.link }, 'jane@corp.test');
    expect(await rowsFor(made)).toMatchObject([{ partner_id: other.partnerId, hold_reason: null }]);
  });

  it('for the e-mail that the payer gave to the payment processor', async () => {
    const made = await programOf('jane@corp.test');
    await connectStripe(service, made);
    const clickId = await service.customer(made, newId('user'));
    const stripe = new StripeEvents('2026', service.time);
    const session = stripe.session({
      metadata: { svc_click_id: clickId },
      email: 'Jane+card@corp.test',
      cents: 10_000,
    });
    await deliver(service, made.program.id, stripe.event('checkout.session.completed', session));
    expect(await rowsFor(made)).toMatchObject([{ transaction_id: session.payment_intent, ...held }]);
  });

  it('also when it could not be created with the sale and is repaired', async () => {
    const made = await programOf('jane@corp.test');
    const restore = await refuseCommissions(service);
    await sellTo(made, 'jane@corp.test').finally(restore);
    const [sale] = await service.sql<{ id: number }>('select id from sales where program_id = $1', [made.program.id]);
    await repairCommission(service.ctx, sale?.id ?? 0);
    expect(await rowsFor(made)).toMatchObject([held]);
  });

  it('and no e-mail is stored in the clear', async () => {
    const made = await programOf('jane@corp.test');
    await sellTo(made, 'jane+shop@corp.test');
    const [customer] = await service.sql('select * from customers where program_id = $1', [made.program.id]);
    expect(customer?.email_identity_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(customer)).not.toContain('jane');
  });
});

describe('a held commission', () => {
  it('is not approved when the program’s hold ends', async () => {
    const made = await programOf('jane@corp.test', { holdDays: 0 });
    await sellTo(made, 'jane@corp.test');
    await sellTo(made, 'john@corp.test');
    service.advance({ days: 1 });
    await approveCommissions.run(service.ctx);
    expect(await rowsFor(made)).toMatchObject([{ status: 'approved' }, held]);
  });

  it('is released when a person approves it, and then paid like any other', async () => {
    const made = await programOf('jane@corp.test');
    const { commission_id: id } = await sellTo(made, 'jane@corp.test');
    const idsOf = async (query: string) => {
      const { body: found } = await service.call('GET', manage(made, `/commissions?${query}`), {
        key: made.owner.token,
      });
      return found.data.map((row: { id: number }) => row.id);
    };
    expect([await idsOf('held=true'), await idsOf('held=false')]).toEqual([[id], []]);
    const byReason = ['self_referral', 'claimed_key'].map((reason) => idsOf(`held=true&hold_reason=${reason}`));
    expect(await Promise.all(byReason)).toEqual([[id], []]);
    const { status, body } = await review(made, id, 'approve');
    expect([await idsOf('held=true'), await idsOf('held=false')]).toEqual([[], [id]]);
    expect([status, body.data]).toMatchObject([200, { status: 'approved', hold_reason: null }]);
    const payouts = await service.call('POST', manage(made, '/payouts'), { key: made.owner.token, body: {} });
    expect(payouts.body.data).toMatchObject([{ amount_cents: 2_000 }]);
  });

  it('keeps its reason when a person rejects it', async () => {
    const made = await programOf('jane@corp.test');
    const { commission_id: id } = await sellTo(made, 'jane@corp.test');
    expect((await review(made, id, 'reject')).body.data).toMatchObject({
      status: 'rejected',
      hold_reason: 'self_referral',
    });
    const found = async (reason: string) => {
      const query = `/commissions?status=rejected&hold_reason=${reason}`;
      return (await service.call('GET', manage(made, query), { key: made.owner.token })).body.data;
    };
    expect([await found('self_referral'), await found('claimed_key')]).toMatchObject([[{ id }], []]);
    // A filter of a review means the same.
    const body = { action: 'restore', filter: { status: 'rejected', hold_reason: 'claimed_key' }, count: 0 };
    const restored = await service.call('POST', manage(made, '/commissions/review'), { key: made.owner.token, body });
    expect(restored.body.data.changed).toBe(0);
  });

  it('shows its reason to the partner, in the file, and in the explanation', async () => {
    const made = await programOf('jane@corp.test');
    const { transactionId } = await sellTo(made, 'jane@corp.test');
    const { token } = await partnerAccount(service, made.partnerId);
    expect(await rowsFor(made, token)).toMatchObject([held]);
    const { text } = await service.call('GET', manage(made, '/export/commissions.csv'), { key: token });
    const [names, cells] = text.split('\r\n').map(csvCells);
    expect(cells?.[names?.indexOf('hold_reason') ?? 0]).toBe('self_referral');
    expect(await explain(service.ctx, made.program.id, { transactionId })).toMatchObject([
      {
        reason: 'self_referral',
        outcome: 'recorded',
        sentence: reasons.self_referral,
        facts: { hold_reason: 'self_referral' },
      },
    ]);
  });
});
