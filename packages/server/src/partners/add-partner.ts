import { errors } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { insertPartner, type NewPartner } from './partner-store.ts';

/** Adds a partner on behalf of the brand and makes them a member of the program. */
export async function addPartner(db: Queryable, partner: NewPartner, now: Date): Promise<number> {
  const partnerId = await insertPartner(db, partner, now);
  if (partnerId === null) throw errors.partnerJoinedItself();
  return partnerId;
}
