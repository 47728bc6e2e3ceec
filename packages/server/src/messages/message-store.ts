import type { MessageOutcome, MessageRecipient, MessageRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type NewMessage = { subject: string; text: string; total: number; sentBy: string | null };

/** Adds a message; null if the program has sent `max` since the time. The program is locked by the caller. */
export async function insertMessage(
  db: Queryable,
  programId: number,
  { subject, text, total, sentBy }: NewMessage,
  { since, max, now }: { since: Date; max: number; now: Date },
): Promise<number | null> {
  const [added] = await db.query<{ id: number }>(
    `insert into partner_messages (program_id, subject, text, total, sent_by, created_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from partner_messages where program_id = $1 and created_at >= $7) < $8 returning id`,
    [programId, subject, text, total, sentBy, now, since, max],
  );
  return added?.id ?? null;
}

export async function findMessage(
  db: Queryable,
  programId: number,
  messageId: number,
): Promise<{ subject: string; text: string } | null> {
  const [message] = await db.query<{ subject: string; text: string }>(
    'select subject, text from partner_messages where program_id = $1 and id = $2',
    [programId, messageId],
  );
  return message ?? null;
}

type StoredMessage = Omit<MessageRow, 'created_at'> & { created_at: Date };

/** Those of the program, newest first. */
export async function listMessages(
  db: Queryable,
  programId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<MessageRow[]> {
  const rows = await db.query<StoredMessage>(
    `select s.id, s.subject, s.text, s.total, s.created_at,
       (select u.name from users u where u.id = s.sent_by) as sent_by,
       (select coalesce(json_agg(json_build_object('outcome', o.outcome, 'count', o.count) order by o.outcome), '[]')
        from (select r.outcome, count(*) as count from partner_message_rows r where r.message_id = s.id
          group by r.outcome) o) as outcomes
     from partner_messages s where s.program_id = $1 and ($2::bigint is null or s.id < $2) order by s.id desc limit $3`,
    [programId, before, limit],
  );
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
}

/** What became of a message of the program, by the id of the partner. */
export function listRecipients(
  db: Queryable,
  { programId, messageId }: { programId: number; messageId: number },
  { after, limit }: { after: number | null; limit: number },
): Promise<MessageRecipient[]> {
  return db.query<MessageRecipient>(
    `select r.partner_id, p.name as partner_name, r.outcome
     from partner_message_rows r join partner_messages s on s.id = r.message_id join partners p on p.id = r.partner_id
     where s.program_id = $1 and s.id = $2 and ($3::bigint is null or r.partner_id > $3)
     order by r.partner_id limit $4`,
    [programId, messageId, after, limit],
  );
}

export async function insertRecipients(
  db: Queryable,
  messageId: number,
  outcomes: { partnerId: number; outcome: MessageOutcome }[],
): Promise<void> {
  // The ids are the caller's: those who are not of the program have no row, and so no name in its lists.
  await db.query(
    `insert into partner_message_rows (message_id, partner_id, outcome)
     select $1, i."partnerId", i.outcome from json_to_recordset($2::json) i ("partnerId" bigint, outcome text)
     join partner_messages s on s.id = $1
     join memberships m on m.program_id = s.program_id and m.partner_id = i."partnerId" on conflict do nothing`,
    [messageId, JSON.stringify(outcomes)],
  );
}

/** Whom a message would reach: the account of the partner and what stands against it. */
export type Addressee = {
  partnerId: number;
  name: string;
  status: 'applied' | 'active' | 'blocked' | 'removed';
  userId: string | null;
  email: string | null;
  isProven: boolean;
  isUnwanted: boolean;
  /** The first active link. */
  shortLink: string | null;
  destinationUrl: string | null;
  domain: string;
};

export function listAddressees(db: Queryable, programId: number, partnerIds: number[]): Promise<Addressee[]> {
  return db.query<Addressee>(
    `select p.id as "partnerId", p.name, m.status, u.id as "userId", u.email,
       coalesce(u.email_verified, false) as "isProven", o.domain,
       exists (select from mail_preferences q where q.user_id = u.id and q.kind = 'partner_message') as "isUnwanted",
       shared.short_link as "shortLink", shared.destination_url as "destinationUrl"
     from memberships m join partners p on p.id = m.partner_id join programs o on o.id = m.program_id
       left join users u on u.id = p.user_id
       left join lateral (
         select l.short_link, l.destination_url from links l
         where l.program_id = m.program_id and l.partner_id = m.partner_id and l.active and l.deleted_at is null
           and not l.is_test
         order by l.id limit 1
       ) shared on true
     where m.program_id = $1 and m.partner_id = any ($2::bigint[]) and o.deleted_at is null`,
    [programId, partnerIds],
  );
}
