import type { Customer } from '../customers/customer.ts';
import type { Program } from '../programs/program.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { type LeadWrite, writeLeads } from './lead-store.ts';

type Payment = { customerKey: string | undefined; clickId: string | undefined; isTest: boolean };

/** Settles a provisional lead because its customer has paid. Says whether there was one to settle. */
export async function confirmLead(
  ctx: TrackingContext,
  program: Program,
  customer: Customer,
  payment: Payment,
): Promise<boolean> {
  if (customer.leadState !== 'provisional') return false;
  const settle = {
    action: 'settle' as const,
    customerId: customer.id,
    customerKey: null,
    // The backend put its key on the payment; the page's own claim counts only where the backend named none.
    claimedCustomerKey: payment.customerKey ?? customer.claimedCustomerKey,
    emailHash: null,
    emailMasked: null,
    leadState: 'settled' as const,
    decision: {
      programId: program.id,
      kind: 'lead',
      outcome: 'recorded',
      reason: 'lead_settled_by_payment',
      facts: { lead_auth: program.leadAuth, customer_status: customer.status, clicked_at: customer.clickedAt },
      source: 'processor',
      customerId: customer.id,
      partnerId: customer.partnerId,
      customerKey: payment.customerKey,
      clickId: payment.clickId,
      requestId: null,
      isTest: payment.isTest,
      createdAt: ctx.now(),
    },
  } satisfies LeadWrite;
  const [decisionId] = await writeLeads(ctx.db, [settle]);
  return typeof decisionId === 'number';
}
