import { FEED_EVENT_TYPES, type FeedEvent, type FeedEventType, feedEventSchemas } from '@svc/contract';
import { manage, newAccount, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { payee, sentRun } from '@svc/testkit/service/payments/payees.ts';
import { connectStripe, deliver, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold, soldOwing } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { approveEndedHolds } from '../commissions/review-holds.ts';
import { watchPrograms } from '../jobs/watch-programs.ts';
import { applyTiers } from '../partners/groups/apply-tiers.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';

const service = useService();

const post = (made: OwnedProgram, rest: string, body: object = {}) => asOwner(service, made, 'POST', rest, body);
const patch = (made: OwnedProgram, rest: string, body: object) => asOwner(service, made, 'PATCH', rest, body);
const refund = (made: OwnedProgram, transactionId: string, fields: object = {}) =>
  service.refund({ transaction_id: transactionId, ...fields }, { key: made.apiKey });

/** What has been numbered after a place in the feed, once nothing waits for its number. */
async function eventsAfter(made: OwnedProgram, after: number): Promise<FeedEvent[]> {
  await eventually(
    () => service.sql('select 1 from outbox'),
    (waiting) => waiting.length === 0,
  );
  const { status, body } = await service.call('GET', `/api/v1/events?after=${after}&limit=200`, { key: made.apiKey });
  expect(status).toBe(200);
  return body.data;
}

type Done = {
  /** Does it, and returns what it left: the types in their order, with some of the data. */
  act: () => Promise<unknown>;
  leaves: [FeedEventType, object][];
  /** Whether the same call again is answered without leaving anything. */
  again?: boolean;
};
type Happening = { name: string; prepare: (made: OwnedProgram) => Promise<Done> };

const happening = (name: string, prepare: Happening['prepare']): Happening => ({ name, prepare });

/** Robin has applied to join the program. */
async function applicant(made: OwnedProgram): Promise<number> {
  const account = await newAccount(service);
  const { body } = await patch(made, '', { joining: 'on_approval' });
  const token = new URL(body.data.join_url).hash.slice(1);
  await service.call('POST', '/api/v1/manage/invitations/accept', { key: account.token, body: { token } });
  const partners = await asOwner(service, made, 'GET', '/partners?status=applied');
  return partners.body.data[0].id;
}

/** An endpoint whose owners have been warned, for a type that no test here leaves. */
async function failingEndpoint(made: OwnedProgram): Promise<number> {
  const { id } = (await post(made, '/webhooks', { url: 'https://shop.example/hook', types: ['payout.cancelled'] })).body
    .data;
  await service.sql('update webhook_endpoints set failing_since = $2, warned_at = $2 where id = $1', [
    id,
    service.time,
  ]);
  return id;
}

/** A payment of 10,000 by Stripe, and what Stripe tells about a dispute of it. */
async function disputable(made: OwnedProgram) {
  await connectStripe(service, made);
  await service.customer(made, 'user_1');
  service.advance({ seconds: 1 });
  const stripe = new StripeEvents('2026', service.time);
  const session = stripe.session({ metadata: { svc_customer_key: 'user_1' }, cents: 10_000 });
  await deliver(service, made.program.id, stripe.event('checkout.session.completed', session));
  const of = { id: newId('du'), charge: newId('ch'), paymentIntent: session.payment_intent as string };
  return (type: string, status: string, cents = 10_000) => {
    stripe.at += 60;
    const event = stripe.event(`charge.dispute.${type}`, stripe.dispute({ ...of, cents, status }));
    return deliver(service, made.program.id, event);
  };
}

const UNREFUNDED = { status: 'recorded', refunded_cents: 0, commission_deducted_cents: 0 };
const UNPAID = { status: 'approved', stage: 'approved', paid_at: null };
const DEFAULT = { group_id: expect.any(Number), group_name: 'Default' };

const tenDollars = { on: 'lead', pays: { type: 'fixed', rate: 10 } } as const;
const withCredit = { on: 'sale', pays: { type: 'percent', rate: 10 }, credit: { amount_cents: 500 } } as const;

/** The ways in which each type comes about. A type without one does not compile. */
const HAPPENINGS: Record<FeedEventType, Happening[]> = {
  'lead.created': [
    happening('a signup', async (made) => {
      const clickId = await service.clickId(made.link);
      const body = { click_id: clickId, customer_key: 'jane@example.com', email: 'jane@example.com' };
      const customer = { id: customerIdOf(clickId), customer_key: 'j***@example.com', status: 'lead' };
      return {
        act: () => service.lead(body, { key: made.apiKey }),
        leaves: [
          [
            'lead.created',
            { customer: { ...customer, partner_id: made.partnerId }, decision: { reason: 'lead_recorded' } },
          ],
        ],
        again: true,
      };
    }),
    happening('a signup that the terms pay for', async (made) => {
      await publish(service, made, [tenDollars]);
      const clickId = await service.clickId(made.link);
      return {
        act: () => service.lead({ click_id: clickId, customer_key: newId('user') }, { key: made.apiKey }),
        leaves: [
          ['lead.created', { customer: { id: customerIdOf(clickId) } }],
          ['commission.created', { commission: { kind: 'lead', commission_cents: 1_000, partner_id: made.partnerId } }],
        ],
        again: true,
      };
    }),
  ],
  'lead.confirmed': [
    happening('the server confirms the word of a page', async (made) => {
      await service.sql(`update programs set lead_auth = 'server_required' where id = $1`, [made.program.id]);
      service.advance({ seconds: 60 });
      const clickId = await service.clickId(made.link);
      const lead = { click_id: clickId, customer_key: newId('user') };
      await service.lead(lead);
      return {
        act: () => service.lead(lead, { key: made.apiKey }),
        leaves: [['lead.confirmed', { customer: { id: customerIdOf(clickId), status: 'lead' } }]],
        again: true,
      };
    }),
  ],
  'sale.created': [
    happening('a sale', async (made) => {
      await service.customer(made, 'user_1');
      const sale = { transaction_id: newId('order'), customer_key: 'user_1', amount_cents: 10_000 };
      return {
        act: () => service.sale(sale, { key: made.apiKey }),
        leaves: [
          [
            'sale.created',
            {
              sale: { transaction_id: sale.transaction_id, amount_cents: 10_000, partner_id: made.partnerId },
              decision: { reason: 'sale_attributed' },
            },
          ],
          ['commission.created', { commission: { commission_cents: 2_000, status: 'pending', currency: 'USD' } }],
        ],
        again: true,
      };
    }),
  ],
  'sale.refunded': [
    happening('a partial refund', async (made) => {
      const { transactionId, saleId } = await sold(service, made);
      return {
        act: () => refund(made, transactionId, { refund_amount_cents: 2_500, refund_id: 'r-1' }),
        leaves: [
          [
            'sale.refunded',
            {
              sale: { id: saleId, refunded_cents: 2_500 },
              refund: { amount_cents: 2_500, currency: 'USD' },
              previous: { ...UNREFUNDED, commission_status: 'pending' },
            },
          ],
          [
            'commission.reversed',
            {
              commission: { status: 'partially_reversed', deducted_cents: 500 },
              previous: { status: 'pending', deducted_cents: 0 },
            },
          ],
        ],
        again: true,
      };
    }),
    happening('a full refund', async (made) => {
      const { transactionId, saleId } = await sold(service, made);
      return {
        act: () => refund(made, transactionId),
        leaves: [
          [
            'sale.refunded',
            {
              sale: { id: saleId },
              refund: { amount_cents: 10_000 },
              previous: { ...UNREFUNDED, commission_status: 'pending' },
            },
          ],
          [
            'commission.reversed',
            { commission: { status: 'reversed' }, previous: { status: 'pending', deducted_cents: 0 } },
          ],
        ],
        again: true,
      };
    }),
    happening('a dispute of a part', async (made) => {
      const dispute = await disputable(made);
      return {
        act: () => dispute('created', 'needs_response', 2_500),
        leaves: [
          [
            'sale.refunded',
            {
              sale: { refunded_cents: 2_500, disputed_cents: 2_500 },
              refund: { amount_cents: 2_500, currency: 'USD' },
              previous: { ...UNREFUNDED, disputed_cents: 0, commission_status: 'pending' },
              decision: { reason: 'payment_disputed' },
            },
          ],
          [
            'commission.reversed',
            {
              commission: { status: 'partially_reversed', deducted_cents: 500 },
              previous: { status: 'pending', deducted_cents: 0 },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'commission.created': [
    happening('a bonus', async (made) => ({
      act: () =>
        post(made, '/adjustments', {
          partner_id: made.partnerId,
          amount_cents: 700,
          currency: 'USD',
          reason: 'Best review of the month',
        }),
      leaves: [['commission.created', { commission: { kind: 'bonus', commission_cents: 700 } }]],
    })),
    happening('a commission that a sale owed', async (made) => {
      const { saleId } = await soldOwing(service, made);
      return {
        act: () => repairCommission(service.ctx, saleId),
        leaves: [
          ['commission.created', { commission: { sale_id: saleId }, decision: { reason: 'commission_repaired' } }],
        ],
        again: true,
      };
    }),
  ],
  'commission.approved': [
    happening('a person approves it', async (made) => {
      const { commissionId } = await sold(service, made);
      return {
        act: () => post(made, `/commissions/${commissionId}/approve`),
        leaves: [
          [
            'commission.approved',
            { commission: { id: commissionId, status: 'approved' }, previous: { status: 'pending', stage: 'pending' } },
          ],
        ],
        again: true,
      };
    }),
    happening('its hold ends', async (made) => {
      const { commissionId } = await sold(service, made);
      service.advance({ days: 400 });
      return {
        act: () => approveEndedHolds(service.ctx, 1_000, OPERATOR),
        leaves: [
          [
            'commission.approved',
            { commission: { id: commissionId, status: 'approved' }, previous: { status: 'pending', stage: 'pending' } },
          ],
        ],
        again: true,
      };
    }),
  ],
  'commission.rejected': [
    happening('a person rejects it', async (made) => {
      const { commissionId } = await sold(service, made);
      return {
        act: () => post(made, `/commissions/${commissionId}/reject`, { reason: 'Brand bidding' }),
        leaves: [
          [
            'commission.rejected',
            {
              commission: { id: commissionId, status: 'rejected', rejection_reason: 'Brand bidding' },
              previous: { status: 'pending', stage: 'pending', rejection_reason: null },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'commission.reversed': [
    happening('a refund of a commission that is in nobody’s way', async (made) => {
      const { transactionId, commissionId } = await approvedSale(service, made);
      return {
        act: () => refund(made, transactionId),
        leaves: [
          [
            'sale.refunded',
            { refund: { amount_cents: 10_000 }, previous: { ...UNREFUNDED, commission_status: 'approved' } },
          ],
          [
            'commission.reversed',
            {
              commission: { id: commissionId, deducted_cents: 2_000 },
              previous: { status: 'approved', deducted_cents: 0 },
            },
          ],
        ],
      };
    }),
  ],
  'commission.restored': [
    happening('a dispute is won, and the refund is taken back', async (made) => {
      const dispute = await disputable(made);
      await dispute('created', 'needs_response');
      return {
        act: () => dispute('closed', 'won'),
        leaves: [
          [
            'sale.refunded',
            {
              sale: { refunded_cents: 0, disputed_cents: 0, status: 'recorded' },
              refund: { amount_cents: -10_000, currency: 'USD' },
              previous: {
                status: 'refunded',
                refunded_cents: 10_000,
                disputed_cents: 10_000,
                commission_deducted_cents: 2_000,
                commission_status: 'reversed',
              },
              decision: { reason: 'dispute_won' },
            },
          ],
          [
            'commission.restored',
            {
              commission: { status: 'pending', deducted_cents: 0 },
              previous: { status: 'reversed', deducted_cents: 2_000 },
            },
          ],
        ],
        again: true,
      };
    }),
    happening('a person restores it', async (made) => {
      const { commissionId } = await sold(service, made);
      await post(made, `/commissions/${commissionId}/reject`);
      return {
        act: () => post(made, `/commissions/${commissionId}/restore`),
        leaves: [
          [
            'commission.restored',
            {
              commission: { id: commissionId, status: 'pending' },
              previous: { status: 'rejected', stage: 'rejected' },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'payout.created': [
    happening('a payout run', async (made) => {
      await approvedSale(service, made);
      return {
        act: () => post(made, '/payouts'),
        leaves: [
          [
            'payout.created',
            { payout: { partner_id: made.partnerId, amount_cents: 2_000, currency: 'USD', status: 'open' } },
          ],
        ],
      };
    }),
  ],
  'payout.sent': [
    happening('a run is marked as sent', async (made) => {
      await approvedSale(service, await payee(service, made));
      const run = await sentRun(service, made, 'approved');
      return {
        act: () => post(made, `/payout-runs/${run.id}/mark-sent`),
        leaves: [
          [
            'payout.sent',
            {
              payout: { id: run.payouts[0].id, status: 'sent', run_id: run.id },
              previous: { status: 'open', sent_at: null },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'payout.returned': [
    happening('money comes back', async (made) => {
      await approvedSale(service, await payee(service, made));
      const run = await sentRun(service, made);
      const [{ id }] = run.payouts;
      return {
        act: () => post(made, `/payout-runs/${run.id}/settle`, { payouts: [{ id, status: 'returned', code: 'AC04' }] }),
        leaves: [
          [
            'payout.returned',
            {
              payout: {
                id,
                status: 'returned',
                failure_code: 'AC04',
                failure_reason: 'The bank says that the account is closed. Add another payout method.',
              },
              previous: { status: 'sent', returned_at: null, failure_code: null, failure_reason: null },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'payout.paid': [
    happening('a payout is marked as paid', async (made) => {
      const { commissionId } = await approvedSale(service, made);
      const [payout] = await paidOut(service, made);
      return {
        act: () => post(made, `/payouts/${payout?.id}/mark-paid`, { reference: 'SEPA 7' }),
        leaves: [
          [
            'payout.paid',
            {
              payout: { id: payout?.id, status: 'paid' },
              previous: { status: 'open', paid_at: null, reference: null },
            },
          ],
          ['commission.paid', { commission: { id: commissionId, status: 'paid' }, previous: UNPAID }],
        ],
        again: true,
      };
    }),
  ],
  'commission.paid': [
    happening('several payouts are marked as paid', async (made) => {
      const { commissionId } = await approvedSale(service, made);
      const payouts = await paidOut(service, made);
      return {
        act: () => post(made, '/bulk/payouts/mark-paid', { ids: payouts.map(({ id }) => id) }),
        leaves: [
          ['payout.paid', { payout: { id: payouts[0]?.id }, previous: { status: 'open', paid_at: null } }],
          ['commission.paid', { commission: { id: commissionId }, previous: UNPAID }],
        ],
        again: true,
      };
    }),
  ],
  'payout.failed': [
    happening('a payout failed', async (made) => {
      await approvedSale(service, made);
      const [payout] = await paidOut(service, made);
      return {
        act: () => post(made, `/payouts/${payout?.id}/mark-failed`, { reason: 'The account is closed' }),
        leaves: [
          [
            'payout.failed',
            {
              payout: { id: payout?.id, status: 'failed', failure_reason: 'The account is closed' },
              previous: { status: 'open', failed_at: null, failure_reason: null },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'payout.cancelled': [
    happening('a payout is cancelled', async (made) => {
      await approvedSale(service, made);
      const [payout] = await paidOut(service, made);
      return {
        act: () => post(made, `/payouts/${payout?.id}/cancel`),
        leaves: [
          [
            'payout.cancelled',
            { payout: { id: payout?.id, status: 'cancelled' }, previous: { status: 'open', cancelled_at: null } },
          ],
        ],
        again: true,
      };
    }),
  ],
  'partner.applied': [
    happening('somebody applies by the join link', async (made) => {
      const account = await newAccount(service);
      const { body } = await patch(made, '', { joining: 'on_approval' });
      const token = new URL(body.data.join_url).hash.slice(1);
      return {
        act: () => service.call('POST', '/api/v1/manage/invitations/accept', { key: account.token, body: { token } }),
        leaves: [['partner.applied', { partner: { name: 'Robin', status: 'applied' } }]],
        again: true,
      };
    }),
  ],
  'partner.joined': [
    happening('an application is approved', async (made) => {
      const partnerId = await applicant(made);
      return {
        act: () => patch(made, `/partners/${partnerId}`, { status: 'active' }),
        leaves: [
          ['partner.joined', { partner: { id: partnerId, status: 'active' }, previous: { status: 'applied' } }],
          ['link.created', { link: { partner_id: partnerId } }],
        ],
        again: true,
      };
    }),
    happening('the brand adds a partner', async (made) => ({
      act: () => post(made, '/partners', { name: 'Ben', email: `${newId('ben')}@partner.test` }),
      leaves: [['partner.joined', { partner: { name: 'Ben', status: 'active' } }]],
    })),
    happening('somebody joins an open program', async (made) => {
      const account = await newAccount(service);
      const { body } = await patch(made, '', { joining: 'open' });
      const token = new URL(body.data.join_url).hash.slice(1);
      return {
        act: () => service.call('POST', '/api/v1/manage/invitations/accept', { key: account.token, body: { token } }),
        leaves: [
          ['partner.joined', { partner: { name: 'Robin', status: 'active' } }],
          ['link.created', { link: { partner_name: 'Robin' } }],
        ],
        again: true,
      };
    }),
  ],
  'partner.changed': [
    happening('a partner is blocked', async (made) => ({
      act: () => patch(made, `/partners/${made.partnerId}`, { status: 'blocked' }),
      leaves: [
        ['partner.changed', { partner: { id: made.partnerId, status: 'blocked' }, previous: { status: 'active' } }],
      ],
      again: true,
    })),
    happening('an application is declined', async (made) => {
      const partnerId = await applicant(made);
      return {
        act: () => patch(made, `/partners/${partnerId}`, { status: 'removed' }),
        leaves: [
          ['partner.changed', { partner: { id: partnerId, status: 'removed' }, previous: { status: 'applied' } }],
        ],
        again: true,
      };
    }),
    happening('a partner is removed', async (made) => ({
      act: () => patch(made, `/partners/${made.partnerId}`, { status: 'removed' }),
      leaves: [
        ['partner.changed', { partner: { id: made.partnerId, status: 'removed' }, previous: { status: 'active' } }],
      ],
      again: true,
    })),
    happening('a blocked partner is reinstated', async (made) => {
      await patch(made, `/partners/${made.partnerId}`, { status: 'blocked' });
      return {
        act: () => patch(made, `/partners/${made.partnerId}`, { status: 'active' }),
        leaves: [
          ['partner.changed', { partner: { id: made.partnerId, status: 'active' }, previous: { status: 'blocked' } }],
        ],
        again: true,
      };
    }),
    happening('a partner is moved to a group', async (made) => {
      const group = (await post(made, '/groups', { name: 'Gold' })).body.data;
      return {
        act: () => patch(made, `/partners/${made.partnerId}`, { group_id: group.id }),
        leaves: [
          [
            'partner.changed',
            { partner: { id: made.partnerId, group_name: 'Gold' }, previous: { ...DEFAULT, group_by: 'tier' } },
          ],
        ],
        again: true,
      };
    }),
    happening('a partner reaches a tier', async (made) => {
      await post(made, '/groups', { name: 'Silver', tier: { of: 'revenue', in: 'lifetime', at_least: 1 } });
      await approvedSale(service, made);
      service.advance({ days: 1 });
      return {
        act: () => applyTiers(service.ctx),
        leaves: [['partner.changed', { partner: { id: made.partnerId, group_name: 'Silver' }, previous: DEFAULT }]],
        again: true,
      };
    }),
  ],
  'link.created': [
    happening('a link is added', async (made) => ({
      act: () => post(made, '/links', { partner_id: made.partnerId }),
      leaves: [['link.created', { link: { partner_id: made.partnerId, active: true } }]],
    })),
  ],
  'link.changed': [
    happening('a link is disabled', async (made) => {
      const { id } = (await post(made, '/links', { partner_id: made.partnerId })).body.data;
      return {
        act: () => patch(made, `/links/${id}`, { active: false }),
        leaves: [['link.changed', { link: { id, active: false }, previous: { active: true } }]],
        again: true,
      };
    }),
    happening('a link is deleted', async (made) => {
      const { id } = (await post(made, '/links', { partner_id: made.partnerId })).body.data;
      return {
        act: () => asOwner(service, made, 'DELETE', `/links/${id}`),
        leaves: [['link.changed', { link: { id }, previous: { active: true, deleted_at: null } }]],
        again: true,
      };
    }),
  ],
  'customer.assigned': [
    happening('a person assigns a customer', async (made) => {
      const ben = await service.partner(made.program);
      const id = customerIdOf(await service.customer(made, newId('user')));
      return {
        act: () => post(made, `/customers/${id}/assign`, { partner_id: ben.partnerId, reason: 'Ben met them first' }),
        leaves: [
          [
            'customer.assigned',
            {
              customer: { id, partner_id: ben.partnerId },
              previous: { partner_id: made.partnerId },
              decision: { reason: 'customer_assigned' },
            },
          ],
        ],
        again: true,
      };
    }),
    happening('a coupon takes a customer', async (made) => {
      await service.sql('update programs set coupons_win = true where id = $1', [made.program.id]);
      service.advance({ seconds: 60 });
      const ben = await service.partner(made.program);
      await post(made, '/coupons', { partner_id: ben.partnerId, code: 'BEN10' });
      const key = newId('user');
      const id = customerIdOf(await service.customer(made, key));
      const sale = { transaction_id: newId('order'), customer_key: key, amount_cents: 10_000, coupon_code: 'BEN10' };
      return {
        act: () => service.sale(sale, { key: made.apiKey }),
        leaves: [
          ['sale.created', { sale: { partner_id: ben.partnerId } }],
          ['commission.created', { commission: { partner_id: ben.partnerId } }],
          [
            'customer.assigned',
            {
              customer: { id, partner_id: ben.partnerId },
              previous: { partner_id: made.partnerId },
              decision: { reason: 'sale_attributed' },
            },
          ],
        ],
        again: true,
      };
    }),
  ],
  'credit.granted': [
    happening('a sale under terms with a credit', async (made) => {
      await publish(service, made, [withCredit]);
      const key = newId('user');
      const id = customerIdOf(await service.customer(made, key));
      const sale = { transaction_id: newId('order'), customer_key: key, amount_cents: 10_000 };
      return {
        act: () => service.sale(sale, { key: made.apiKey }),
        leaves: [
          ['sale.created', {}],
          ['commission.created', {}],
          ['credit.granted', { credit: { customer_id: id, amount_cents: 500, currency: 'USD', reversed_cents: 0 } }],
        ],
        again: true,
      };
    }),
  ],
  'alert.opened': [
    happening('an endpoint has been failing for a day', async (made) => {
      const id = await failingEndpoint(made);
      return {
        act: () => watchPrograms.run(service.ctx),
        leaves: [['alert.opened', { alert: { kind: 'webhook_failing', subject_id: String(id), closed_at: null } }]],
        again: true,
      };
    }),
  ],
  'alert.closed': [
    happening('a failing endpoint is deleted', async (made) => {
      const id = await failingEndpoint(made);
      await watchPrograms.run(service.ctx);
      await asOwner(service, made, 'DELETE', `/webhooks/${id}`);
      return {
        act: () => watchPrograms.run(service.ctx),
        leaves: [
          [
            'alert.closed',
            { alert: { subject_id: String(id), closed_at: service.time.toISOString() }, previous: { closed_at: null } },
          ],
        ],
        again: true,
      };
    }),
  ],
  'terms.changed': [
    happening('terms are published', async (made) => ({
      act: () => post(made, '/terms', { rules: [withCredit] }),
      leaves: [['terms.changed', { terms: { version: 2 }, previous: { version: 1 } }]],
    })),
    happening('the commission of the program changes', async (made) => ({
      act: () => patch(made, '', { commission_rate: 30 }),
      leaves: [['terms.changed', { terms: { version: 2 }, previous: { version: 1 } }]],
      again: true,
    })),
    happening('scheduled terms are withdrawn', async (made) => {
      const from = new Date(service.time.getTime() + 86_400_000).toISOString();
      const { version } = (await post(made, '/terms', { rules: [withCredit], effective_from: from })).body.data;
      return {
        act: () => asOwner(service, made, 'DELETE', `/terms/versions/${version}`),
        leaves: [['terms.changed', { terms: { version: 1 }, previous: { version, effective_from: from } }]],
      };
    }),
  ],
};

describe.each(FEED_EVENT_TYPES)('%s', (type) => {
  it.each(HAPPENINGS[type])('$name', async ({ prepare }) => {
    const made = await ownedProgram(service);
    const { act, leaves, again } = await prepare(made);
    const before = (await eventsAfter(made, 0)).length;
    await act();
    const events = await eventsAfter(made, before);
    expect(events.map((event) => event.type)).toEqual(leaves.map(([left]) => left));
    expect(events.map(({ data }) => data)).toMatchObject(leaves.map(([, data]) => data));
    // Nothing else has changed.
    const previous = (data: { previous?: object }) => data.previous;
    expect(events.map(({ data }) => previous(data))).toEqual(leaves.map(([, data]) => previous(data)));
    for (const event of events) {
      expect(feedEventSchemas[event.type].strict().safeParse(event).error?.issues ?? []).toEqual([]);
      expect(JSON.stringify(event)).not.toContain('jane@');
    }
    if (!again) return;
    await act();
    expect(await eventsAfter(made, before + events.length)).toEqual([]);
  });
});

describe('nothing is left', () => {
  it('by test events', async () => {
    const made = await ownedProgram(service);
    const before = (await eventsAfter(made, 0)).length;
    await post(made, '/test-chain');
    expect(await eventsAfter(made, before)).toEqual([]);
  });

  it('by what a brand calls a partner, who recruited them, and who decides about their group', async () => {
    const made = await ownedProgram(service);
    const recruiter = (await post(made, '/partners', { name: 'Ben', email: `${newId('ben')}@partner.test` })).body.data;
    const tier = { of: 'revenue', in: 'lifetime', at_least: 1 };
    const silver = (await post(made, '/groups', { name: 'Silver', tier })).body.data;
    await approvedSale(service, made);
    service.advance({ days: 1 });
    await applyTiers(service.ctx);
    const before = (await eventsAfter(made, 0)).length;
    const changes = [
      { name: 'Joan' },
      { external_id: newId('crm') },
      { recruiter_id: recruiter.id },
      { group_id: silver.id },
    ];
    for (const change of changes) {
      expect((await patch(made, `/partners/${made.partnerId}`, change)).status, JSON.stringify(change)).toBe(200);
    }
    const [placed] = await service.sql<{ group_by: string }>(
      'select group_by from memberships where program_id = $1 and partner_id = $2',
      [made.program.id, made.partnerId],
    );
    expect(placed).toEqual({ group_by: 'hand' });
    expect(await eventsAfter(made, before)).toEqual([]);
  });

  it('by what is refused', async () => {
    const made = await ownedProgram(service);
    const { transactionId, commissionId } = await approvedSale(service, made);
    const before = (await eventsAfter(made, 0)).length;
    const answers = await Promise.all([
      service.sale({ transaction_id: newId('order'), amount_cents: 1, customer_key: 'nobody' }, { key: made.apiKey }),
      service.lead({ click_id: 'nonsense', customer_key: 'x' }, { key: made.apiKey }),
      refund(made, newId('order')),
      refund(made, transactionId, { refund_amount_cents: 10_001 }),
      post(made, '/payouts', { count: 7 }),
      post(made, '/links', { partner_id: 0 }),
      service.call('POST', manage(made, `/commissions/${commissionId}/reject`), { key: 'nonsense' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 400, 409, 404, 401]);
    expect(await eventsAfter(made, before)).toEqual([]);
  });
});
