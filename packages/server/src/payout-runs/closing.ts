import { errors, type ServiceError } from '@svc/contract';
import type { LockedPayout, PayoutStatus } from '../payouts/payout-store.ts';
import type { LockedRun } from './run-store.ts';

const FROM: Record<'paid' | 'failed' | 'cancelled', readonly PayoutStatus[]> = {
  paid: ['open', 'sent'],
  failed: ['open', 'sent', 'paid'],
  cancelled: ['open'],
};

/**
 * Why one payout by itself cannot be closed like this; null if it can. Nothing of a draft can, because that would go around its
 * approval. What a run has put into a file is not cancelled: the bank may have it. Nor is it paid or failed before the run is sent: the
 * file could still be uploaded, and pay it once more.
 */
export function closingProblem(
  closedAs: 'paid' | 'failed' | 'cancelled',
  { status, notInFile }: Pick<LockedPayout, 'status' | 'notInFile'>,
  run: Pick<LockedRun, 'status' | 'number'> | null,
): ServiceError | null {
  if (!FROM[closedAs].includes(status)) return errors.payoutNotOpen(status, closedAs);
  if (run?.status === 'draft') return errors.payoutOfDraft(run.number);
  if (run && closedAs === 'cancelled') return errors.payoutOfRun(run.number);
  if (run?.status === 'approved' && status === 'open' && notInFile === null) return errors.payoutNotSent(run.number);
  return null;
}
