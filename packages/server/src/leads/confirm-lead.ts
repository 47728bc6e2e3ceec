import { creditLastClicks, lastClickFacts, withLastClick } from '../customers/apply-last-click.ts';
import type { Customer } from '../customers/customer.ts';
import { CUSTOMER_ROWS } from '../customers/customer-list-store.ts';
import { updateLeads } from '../customers/customer-store.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { insertDecision } from '../decisions/decision-store.ts';
import { announce } from '../outbox/announce.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { announcedRewards, applyLeadTerms } from './apply-lead-terms.ts';
import { holderOf } from './candidates.ts';
import { lockCandidates } from './lead-lookup-store.ts';

type Payment = {
  customerKey: string | undefined;
  clickId: string | undefined;
  /** Whether only a web page says that the payment is this customer's. */
  isClaim: boolean;
  isTest: boolean;
};

/** Settles a provisional lead because its customer has paid. Returns whether there was one to settle. */
export async function confirmLead(
  ctx: TrackingContext,
  program: Program,
  { id, claimedCustomerKey, leadState }: Customer,
  payment: Payment,
): Promise<boolean> {
  if (leadState !== 'provisional') return false;
  // A key on the payment comes from the backend. The claim from the web page counts only where there is none.
  const customerKey = payment.customerKey ?? claimedCustomerKey;
  const key = customerKey === null ? null : { programId: program.id, customerKey, isTest: payment.isTest };

  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const locked = await lockCandidates(tx, [id], key ? [key] : []);
      const customer = locked.find((candidate) => candidate.id === id);
      if (customer?.leadState !== 'provisional') return false;
      const freeKey = key && !holderOf(locked, key) ? customerKey : null;
      const isKeyUnnamed = payment.customerKey === undefined && customer.customerKey === null && freeKey !== null;
      const settled: Customer = {
        ...customer,
        leadState: 'settled',
        // A claim that nothing else agrees with is still only the word of the page, and so is a key that the payment does not name.
        leadSource: payment.isClaim || isKeyUnnamed ? 'page' : 'server',
        customerKey: customer.customerKey ?? freeKey,
      };
      await updateLeads(tx, [{ customer: settled, email: null }]);
      const at = customer.leadAt ?? ctx.now();
      const last = (await creditLastClicks(ctx, tx, [{ program, customer, at }])).get(customer.id);
      const credited = withLastClick(settled, last);
      const rewards = await applyLeadTerms(ctx, tx, [{ program, customer: credited, isClaim: payment.isClaim }]);
      const reward = rewards.get(customer.id);
      const decisionId = await insertDecision(tx, {
        programId: program.id,
        kind: 'lead',
        outcome: 'recorded',
        reason: 'lead_settled_by_payment',
        facts: {
          lead_auth: program.leadAuth,
          customer_status: customer.status,
          clicked_at: customer.clickedAt,
          ...lastClickFacts(null, last),
          ...reward?.facts,
        },
        source: 'processor',
        customerId: customer.id,
        partnerId: credited.partnerId,
        customerKey: payment.customerKey,
        clickId: payment.clickId,
        requestId: null,
        isTest: payment.isTest,
        createdAt: ctx.now(),
      });
      if (!payment.isTest) {
        const about = { programId: program.id, decisionId };
        announce(ctx, tx, [
          { rows: CUSTOMER_ROWS, events: [{ type: 'lead.confirmed', id: customer.id, ...about }] },
          ...(reward ? announcedRewards(reward, about) : []),
        ]);
      }
      return true;
    }),
  );
}
