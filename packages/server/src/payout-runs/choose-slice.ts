import { listDuePartners, listDueUntil } from '../commissions/payout-coverage-store.ts';
import type { Queryable } from '../db/db.ts';
import type { PayableMethod } from '../payout-methods/payout-method-store.ts';
import { chooseRun, type RunChoice } from './choose-run.ts';
import { findPayees, type NamedPayee } from './find-payees.ts';
import type { RunRequest } from './run-store.ts';

/** What has its turn in one transaction. Refunds of these commissions wait for it. */
const SLICE = { partners: 250, commissions: 1_000 };

/** What everybody in a run is judged by. */
export type RunTerms = {
  programId: number;
  cutoffAt: Date;
  request: Omit<RunRequest, 'cutoffAt'>;
  minimumCents: Record<string, number>;
};

export type ChosenSlice = {
  choice: RunChoice;
  payees: Map<number, NamedPayee>;
  /** The last partner of the slice, after whom the next one begins. */
  afterPartnerId: number;
  /** How many partners had their turn. */
  partnerCount: number;
  isLast: boolean;
};

/** Who of the next partners after this one is paid, by what is due now. Nothing is locked, except by listing their payout methods. */
export async function chooseSlice(
  db: Queryable,
  { programId, cutoffAt, request, minimumCents }: RunTerms,
  afterPartnerId: number,
  listMethods: (db: Queryable, programId: number, partnerIds: number[]) => Promise<PayableMethod[]>,
  now: Date,
): Promise<ChosenSlice> {
  const wanted = { cutoffAt, currency: request.currency, partnerIds: request.partnerIds };
  const { partnerIds, isLast } = await listDuePartners(db, programId, wanted, afterPartnerId, SLICE);
  const due = await listDueUntil(db, programId, wanted, partnerIds);
  const payees = await findPayees(db, programId, partnerIds, listMethods);
  return {
    choice: chooseRun({ due, payees, minimumCents, request, now }),
    payees,
    afterPartnerId: partnerIds.at(-1) ?? afterPartnerId,
    partnerCount: partnerIds.length,
    isLast,
  };
}
