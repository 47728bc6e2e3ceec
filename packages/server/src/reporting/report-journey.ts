import type { Context } from '../context.ts';
import { reasons } from '../decisions/reasons.ts';
import { type JourneyRow, listJourney } from './journey-store.ts';
import { type CustomerDetails, findCustomerDetails } from './lists/customer-list-store.ts';

const MAX_STEPS = 200;

export type JourneyStep = JourneyRow & { sentence: string | null };
export type Journey = { customer: CustomerDetails; steps: JourneyStep[]; isCut: boolean };

/** A customer's newest 200 steps, oldest first; null when the program, or the partner, has no such customer. */
export async function findJourney(
  ctx: Context,
  programId: number,
  customerId: number,
  partnerId: number | null,
): Promise<Journey | null> {
  const customer = await findCustomerDetails(ctx.db, programId, customerId, partnerId);
  if (!customer) return null;
  const rows = await listJourney(ctx.db, programId, customerId, partnerId, MAX_STEPS + 1);
  const steps = rows.slice(0, MAX_STEPS).reverse();
  return {
    customer,
    steps: steps.map((step) => ({ ...step, sentence: step.reason && reasons[step.reason] })),
    isCut: rows.length > MAX_STEPS,
  };
}
