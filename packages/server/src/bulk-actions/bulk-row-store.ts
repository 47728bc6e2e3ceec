import { type BulkInvitationRow, bulkInvitationRow } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Queryable } from '../db/db.ts';
import type { Selection } from '../db/lists/list-query.ts';
import { listSource } from '../db/lists/sorted-list.ts';
import type { InvitedRow } from '../partners/joining/invite-partners.ts';

/** What became of a row, with the token of its invitation sealed, if its link has to be passed on by hand. */
export type NewBulkRow = Omit<InvitedRow, 'token' | 'isMailed'> & { row: number; tokenSealed: string | null };

const rowsWithLinksIf = (condition: string) =>
  listSource<BulkInvitationRow, 'created_at' | 'row'>({
    row: bulkInvitationRow,
    table: 'bulk_action_rows',
    as: 'r',
    joins: `join bulk_actions b on b.id = r.bulk_action_id
      left join memberships m on m.program_id = b.program_id and m.partner_id = r.partner_id
      left join partners p on p.id = m.partner_id
      left join invitations i on i.id = r.invitation_id and i.accepted_at is null`,
    columns: {
      row: 'r.row_number',
      name: 'p.name',
      email: 'p.email',
      mailed: 'r.invitation_id is not null and r.mail_refusal is null',
      invite_url: `case when ${condition} then r.token_sealed end`,
    },
    computed: {},
    sorts: { created_at: { sql: 'r.created_at', type: 'time' }, row: { sql: 'r.row_number', type: 'number' } },
  });

/** The rows of bulk actions that invite. Instead of its link, an open invitation has its sealed token here. */
const ROWS = rowsWithLinksIf('i.id is not null');
const ROWS_WITHOUT_SHARED_LINKS = rowsWithLinksIf(`i.id is not null
  and not exists (select from memberships o where o.partner_id = r.partner_id and o.program_id <> b.program_id)`);

/** The rows as the actor may see them. A token for one program gets no link that opens others. */
export const bulkRowsFor = ({ onlyProgramId }: Actor) =>
  onlyProgramId === undefined ? ROWS : ROWS_WITHOUT_SHARED_LINKS;

export function selectBulkRows(programId: number, bulkActionId: number): Selection {
  return {
    scope: [
      ['b.program_id = ?', programId],
      ['r.bulk_action_id = ?', bulkActionId],
    ],
    filters: [],
  };
}

export async function insertBulkRows(
  db: Queryable,
  bulkActionId: number,
  rows: NewBulkRow[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into bulk_action_rows
       (bulk_action_id, row_number, outcome, message, partner_id, invitation_id, mail_refusal, token_sealed, created_at)
     select $1, s.row, s.outcome, s.message, s."partnerId", s."invitationId", s."mailRefusal", s."tokenSealed", $3
     from jsonb_to_recordset($2::jsonb) s (row integer, outcome text, message text, "partnerId" bigint,
       "invitationId" bigint, "mailRefusal" text, "tokenSealed" text)`,
    [bulkActionId, JSON.stringify(rows), now],
  );
}

/** How many invitations of a bulk action were mailed, and how many were not. */
export async function countMailed(
  db: Queryable,
  programId: number,
  bulkActionId: number,
): Promise<{ mailed: number; not_mailed: number }> {
  const [counts] = await db.query<{ mailed: number; not_mailed: number }>(
    `select count(*) filter (where r.mail_refusal is null) as mailed,
       count(*) filter (where r.mail_refusal is not null) as not_mailed
     from bulk_action_rows r join bulk_actions b on b.id = r.bulk_action_id
     where b.program_id = $1 and b.id = $2 and r.invitation_id is not null`,
    [programId, bulkActionId],
  );
  return counts ?? { mailed: 0, not_mailed: 0 };
}
