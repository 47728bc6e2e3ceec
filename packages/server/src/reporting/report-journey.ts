import type { CustomerDetails, JourneyStep } from '@svc/contract';
import { readArchivedClicks } from '../archive/read-archived-clicks.ts';
import type { Context } from '../context.ts';
import { type CustomerFilter, findCustomerDetails } from '../customers/customer-list-store.ts';
import { EVERYONE, type ProgramScope } from '../db/lists/list-query.ts';
import { listJourney } from './journey-store.ts';

const MAX_STEPS = 200;

export type Journey = { customer: CustomerDetails; steps: JourneyStep[]; isCut: boolean };

/** A customer's newest 200 steps, oldest first; null when the program, or the partner, has no such customer. */
export async function findJourney(
  ctx: Context,
  scope: ProgramScope,
  customerId: number,
  shown: Pick<CustomerFilter, 'onlyDecided'>,
): Promise<Journey | null> {
  const customer = await findCustomerDetails(ctx.db, scope, customerId, shown);
  if (!customer) return null;
  const partnerId = scope.partnerId === EVERYONE ? null : scope.partnerId;
  const { programId } = scope;
  const archived = await readArchivedClicks(ctx, programId, customerId, MAX_STEPS + 1);
  const steps = await listJourney(ctx.db, { programId, customerId, partnerId, archived }, MAX_STEPS + 1);
  return { customer, steps: steps.slice(0, MAX_STEPS).reverse(), isCut: steps.length > MAX_STEPS };
}
