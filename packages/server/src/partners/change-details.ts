import { errors } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import { isUniqueViolation, type Queryable } from '../db/db.ts';
import { isSharedBeyond, type Partner, updateExternalId, updatePartnerName } from './partner-store.ts';

/** What a brand calls a partner, and its own id of them. */
export type NewDetails = { name?: string | undefined; externalId?: string | null | undefined };

type ChangedDetails = { before: Record<string, unknown>; after: Record<string, unknown> };

/**
 * Changes what is given. Null when nothing is different. The caller has locked the membership. All programs of the workspace share
 * the name, so a token for one of them renames only partners who are in no other.
 */
export async function changeDetails(
  tx: Queryable,
  programId: number,
  partner: Pick<Partner, 'id' | 'name'> & { externalId: string | null },
  { name, externalId }: NewDetails,
  actor: Pick<Actor, 'onlyProgramId'>,
): Promise<ChangedDetails | null> {
  const changes: [field: string, before: unknown, after: unknown][] = [];
  if (name !== undefined && (await updatePartnerName(tx, programId, partner.id, name))) {
    if (await isSharedBeyond(tx, actor, partner.id)) throw errors.nameShared();
    changes.push(['name', partner.name, name]);
  }
  if (externalId !== undefined && externalId !== partner.externalId) {
    await updateExternalId(tx, programId, partner.id, externalId).catch(refuseTakenId);
    changes.push(['external_id', partner.externalId, externalId]);
  }
  if (changes.length === 0) return null;
  return {
    before: Object.fromEntries(changes.map(([field, before]) => [field, before])),
    after: Object.fromEntries(changes.map(([field, , after]) => [field, after])),
  };
}

/** Another partner of the program has the id, or got it at the same moment. */
export function refuseTakenId(error: unknown): never {
  throw isUniqueViolation(error) ? errors.externalIdTaken() : error;
}
