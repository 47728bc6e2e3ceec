import { errors } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import { insertAcceptedAgreement, type JoinedProgram } from '../partner-details-store.ts';

/** A version of a program's agreement that an account says it has read. */
export type AcceptedVersion = { programId: number; version: number };

/**
 * Stores that the account accepts the agreements of the programs that it joins. It has to name the version in force for each:
 * one that has changed since it was shown is refused.
 */
export async function acceptAgreements(
  tx: Queryable,
  { partnerId, userId, joined }: { partnerId: number; userId: string; joined: JoinedProgram[] },
  accepted: AcceptedVersion[],
  now: Date,
): Promise<void> {
  for (const { programId, name, agreementVersion: version } of joined) {
    if (version === null) continue;
    const given = accepted.find((each) => each.programId === programId);
    if (!given) throw errors.agreementNotAccepted(name);
    if (given.version !== version) throw errors.agreementChanged(name);
    await insertAcceptedAgreement(tx, { programId, partnerId, version, userId }, now);
  }
}
