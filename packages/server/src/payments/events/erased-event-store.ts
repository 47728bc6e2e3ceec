import type { Queryable } from '../../db/db.ts';

/** The processor's ids of the customers: of themselves, their subscriptions and their payments. */
export async function listIdentityReferences(db: Queryable, customerIds: number[]): Promise<string[]> {
  const rows = await db.query<{ reference: string }>(
    'select reference from processor_identities where customer_id = any ($1::bigint[])',
    [customerIds],
  );
  return rows.map(({ reference }) => reference);
}

export async function deleteIdentities(db: Queryable, customerIds: number[]): Promise<void> {
  await db.query('delete from processor_identities where customer_id = any ($1::bigint[])', [customerIds]);
}

/** Which coupons were used with these subscriptions and invoices. */
export async function deleteUsedCodes(db: Queryable, programId: number, references: string[]): Promise<void> {
  await db.query('delete from processor_codes where program_id = $1 and reference = any ($2::text[])', [
    programId,
    references,
  ]);
}

export type KeptContent = { id: number; payloadSealed: string };

/** Events of the program after an id whose content is kept, in the order of their ids. */
export function listKeptContents(
  db: Queryable,
  programId: number,
  afterId: number,
  limit: number,
): Promise<KeptContent[]> {
  return db.query<KeptContent>(
    `select id, payload_sealed as "payloadSealed" from processor_events
     where program_id = $1 and id > $2 and payload_sealed is not null order by id limit $3`,
    [programId, afterId, limit],
  );
}

/**
 * Deletes the content of the events with these ids, and of those about these customers or waiting for these references. An event
 * that was still to be processed is finished. The rows stay, so a resend is still a duplicate.
 */
export async function deleteContents(
  db: Queryable,
  programId: number,
  about: { eventIds: number[]; customerIds: number[]; references: string[] },
): Promise<void> {
  await db.query(
    `update processor_events set payload_sealed = null, waits_for = null, hint = null, last_error = null, due_at = null,
       outcome = case when state = 'done' then outcome else 'erased' end, state = 'done'
     where program_id = $1
       and (id = any ($2::bigint[]) or customer_id = any ($3::bigint[]) or waits_for && $4::text[])`,
    [programId, about.eventIds, about.customerIds, about.references],
  );
}

/** Replaces a transaction id that events name. */
export async function updateEventTransaction(
  db: Queryable,
  programId: number,
  from: string,
  to: string,
): Promise<void> {
  await db.query('update processor_events set transaction_id = $3 where program_id = $1 and transaction_id = $2', [
    programId,
    from,
    to,
  ]);
}

/** Events whose own id may name the people who paid: those with these ids, and those about these customers or payments. */
export function listEventNames(
  db: Queryable,
  programId: number,
  about: { eventIds: number[]; customerIds: number[]; transactionIds: string[] },
): Promise<{ id: number; eventId: string }[]> {
  return db.query(
    `select id, event_id as "eventId" from processor_events
     where program_id = $1 and (id = any ($2::bigint[]) or customer_id = any ($3::bigint[]) or transaction_id = any ($4::text[]))
     for no key update`,
    [programId, about.eventIds, about.customerIds, about.transactionIds],
  );
}

export async function updateEventName(db: Queryable, id: number, eventId: string): Promise<void> {
  await db.query('update processor_events set event_id = $2 where id = $1', [id, eventId]);
}
