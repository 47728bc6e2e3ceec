import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Queryable } from '../db/db.ts';
import { createFirstLink } from './create-first-link.ts';
import { type InsertedPartner, insertPartner, type NewPartner } from './partner-store.ts';

const OPERATOR: Actor = { userId: null, requestId: null };

/** Adds a partner on behalf of the brand and makes them a member of the program. */
export async function addPartner(tx: Queryable, partner: NewPartner, now: Date, actor = OPERATOR): Promise<number> {
  return (await addMember(tx, partner, actor, now)).id;
}

/** Adds a partner, and says what they were before. A partner who already has an account gets a first link immediately. */
export async function addMember(tx: Queryable, partner: NewPartner, actor: Actor, now: Date): Promise<InsertedPartner> {
  const inserted = await insertPartner(tx, partner, now);
  if (inserted === null) throw errors.partnerJoinedItself();
  const { workspaceId, programId, name } = partner;
  if (inserted.isNewMember) {
    const subject = { type: 'partner', id: inserted.id };
    await insertAuditEvent(
      tx,
      { workspaceId, actor, action: 'partner.added', subject, after: { program_id: programId } },
      now,
    );
    if (inserted.hasAccount) await createFirstLink(tx, { programId, partnerId: inserted.id, name }, now);
  }
  return inserted;
}
