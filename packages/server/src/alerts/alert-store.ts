import { type AlertRow, alertRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { findRows, listSource } from '../db/lists/sorted-list.ts';
import type { FeedRows } from '../outbox/outbox-store.ts';
import type { OpenAlert, Trouble } from './alert.ts';
import { describeAlert } from './describe-alert.ts';

const ALERTS = listSource<AlertRow, never, never, 'message'>({
  row: alertRow,
  table: 'alerts',
  as: 'a',
  columns: {},
  computed: { message: describeAlert },
  sorts: {},
});

/** The rows of events about them. */
export const ALERT_ROWS: FeedRows = { subject: 'alert', source: ALERTS, key: 'a.id = i.id', about: {} };

/** Open alerts first, then those that were closed since a time; the newest of each, at most `limit`. */
export async function listAlerts(db: Queryable, programId: number, since: Date, limit: number): Promise<AlertRow[]> {
  const open = { scope: [['a.program_id = ? and a.closed_at is null', programId] as [string, number]], filters: [] };
  const closed = {
    scope: [['a.program_id = ? and a.closed_at >= ?', programId, since] as [string, number, Date]],
    filters: [],
  };
  return [...(await findRows(db, ALERTS, open, limit)), ...(await findRows(db, ALERTS, closed, limit))];
}

export function listOpenAlerts(db: Queryable): Promise<OpenAlert[]> {
  return db.query<OpenAlert>(
    `select id, program_id as "programId", kind, subject_id as "subjectId", subject_name as "subjectName"
     from alerts where closed_at is null order by id`,
    [],
  );
}

/** Opens an alert, and returns its id; null if there is an open one about the same. */
export async function insertAlert(db: Queryable, trouble: Trouble, now: Date): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `insert into alerts (program_id, kind, subject_id, subject_name, opened_at) values ($1, $2, $3, $4, $5)
     on conflict (program_id, kind, subject_id) where closed_at is null do nothing returning id`,
    [trouble.programId, trouble.kind, trouble.subjectId, trouble.subjectName, now],
  );
  return row?.id ?? null;
}

/** Closes an alert; false if it is closed. */
export async function updateClosed(db: Queryable, id: number, now: Date): Promise<boolean> {
  const rows = await db.query('update alerts set closed_at = $2 where id = $1 and closed_at is null returning id', [
    id,
    now,
  ]);
  return rows.length > 0;
}

/** Deletes alerts that were closed before a time, and returns how many. */
export async function deleteAlertsBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query('delete from alerts where closed_at < $1 returning id', [before]);
  return rows.length;
}
