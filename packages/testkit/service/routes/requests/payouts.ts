import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { reviewCommission } from '../../../../server/src/commissions/review-commissions.ts';
import { approveRun } from '../../../../server/src/payout-runs/approve-run.ts';
import { makeRun } from '../../../../server/src/payout-runs/make-run.ts';
import { sendRun } from '../../../../server/src/payout-runs/send-run.ts';
import { createPayouts } from '../../../../server/src/payouts/create-payouts.ts';
import { partnerAccount } from '../../accounts.ts';
import { setMethod } from '../../payments/payees.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { sold } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

const APPROVED_FIRST = ['managePayoutFile', 'manageSendPayoutRun', 'manageSettlePayoutRun', 'manageReadStatusReport'];
const SENT_FIRST = ['manageSettlePayoutRun', 'manageReadStatusReport'];

export const PAYOUT_REQUESTS: RequestParts = {
  bodies: {
    async manageMakePayouts(service, created) {
      await approvedSale(service, created);
      return {};
    },
    manageMakePayoutRun: async (service, created) => ({ partner_ids: [await payable(service, created)] }),
    manageSavePayoutSettings: () => ({
      minimum_cents: { USD: 100 },
      schedule: { day: 1 },
      net_days: 0,
      two_persons: false,
      payer: { name: 'Acme', iban: 'DE89370400440532013000' },
    }),
    manageSettlePayoutRun: () => ({ all: 'paid', reference: 'transfer-1' }),
    manageMarkFailed: () => ({ reason: 'The account is closed' }),
    manageMarkPaid: () => ({ reference: 'transfer-1' }),
    async manageMarkPayoutsPaid(service, created) {
      await openPayout(service, created);
      return { filter: {}, count: 1 };
    },
  },
  first: { managePayoutRuns: (service, created) => runIdOf(service, 'managePayoutRuns', created) },
  params: {
    run_id: (service, created, routeId) => runIdOf(service, routeId, created),
    payout_id: openPayout,
    file: () => 'payouts.csv',
  },
};

/** The id of a new partner whom the program owes something, and who has said where to send it. */
async function payable(service: TestService, created: TestProgram): Promise<number> {
  const partner = { ...created, ...(await service.partner(created.program)) };
  await setMethod(service, (await partnerAccount(service, partner.partnerId)).userId);
  await approvedSale(service, partner);
  return partner.partnerId;
}

/** The id of a run that the route can be called for. */
export async function runIdOf(service: TestService, routeId: string, created: TestProgram): Promise<number> {
  const partnerIds = [await payable(service, created)];
  const { ctx } = service;
  const wish = { cutoffAt: null, currency: null, partnerIds, excludedPartnerIds: [], exclusionNotes: {} };
  const { id } = await makeRun(ctx, created.program, wish, OPERATOR);
  if (APPROVED_FIRST.includes(routeId)) await approveRun(ctx, created.program, id, OPERATOR);
  if (SENT_FIRST.includes(routeId)) await sendRun(ctx, created.program, id, OPERATOR);
  return id;
}

/** A report of PayPal that all payouts of the run in the path were paid. */
export async function reportFor(service: TestService, path: string): Promise<string> {
  const runId = Number(/payout-runs\/(\d+)/.exec(path)?.[1]);
  const payouts = await service.sql<{ id: number }>('select id from payouts where run_id = $1', [runId]);
  return ['Customer ID,Status', ...payouts.map(({ id }) => `P${id},Completed`), 'X1,Completed'].join('\n');
}

async function approvedSale(service: TestService, created: TestProgram): Promise<void> {
  const { commissionId } = await sold(service, created);
  await reviewCommission(service.ctx, created.program, Number(commissionId), { action: 'approve', actor: OPERATOR });
}

/** The id of an open payout to the program's partner. */
export async function openPayout(service: TestService, created: TestProgram): Promise<number> {
  await approvedSale(service, created);
  const { payouts } = await createPayouts(
    service.ctx,
    created.program,
    { partnerId: created.partnerId },
    { actor: OPERATOR },
  );
  return payouts[0]?.id ?? 0;
}
