import type { Queryable } from '../db/db.ts';

/** How a program pays. */
export type PayoutSettings = {
  /** The smallest payout by currency. */
  minimumCents: Record<string, number>;
  scheduleDay: number | null;
  netDays: number;
  twoPersons: boolean;
  payerSealed: string | null;
  nextRunAt: Date | null;
  /** Null until they are saved for the first time. */
  updatedAt: Date | null;
};

const UNSAVED: PayoutSettings = {
  minimumCents: {},
  scheduleDay: null,
  netDays: 0,
  twoPersons: false,
  payerSealed: null,
  nextRunAt: null,
  updatedAt: null,
};

const COLUMNS = `minimum_cents as "minimumCents", schedule_day as "scheduleDay", net_days as "netDays",
  two_persons as "twoPersons", payer_sealed as "payerSealed", next_run_at as "nextRunAt", updated_at as "updatedAt"`;

export async function findPayoutSettings(db: Queryable, programId: number): Promise<PayoutSettings> {
  const [row] = await db.query<PayoutSettings>(`select ${COLUMNS} from payout_settings where program_id = $1`, [
    programId,
  ]);
  return row ?? UNSAVED;
}

/** The settings as they are. Until the transaction ends, nobody else changes them or makes a run of the program. */
export async function lockPayoutSettings(tx: Queryable, programId: number): Promise<PayoutSettings> {
  await tx.query('insert into payout_settings (program_id) values ($1) on conflict (program_id) do nothing', [
    programId,
  ]);
  const [row] = await tx.query<PayoutSettings>(
    `select ${COLUMNS} from payout_settings where program_id = $1 for update`,
    [programId],
  );
  return row ?? UNSAVED;
}

/** Stores the settings of a program that `lockPayoutSettings` has locked. */
export async function updatePayoutSettings(
  tx: Queryable,
  programId: number,
  settings: Omit<PayoutSettings, 'updatedAt'>,
  now: Date,
): Promise<void> {
  const { minimumCents, scheduleDay, netDays, twoPersons, payerSealed, nextRunAt } = settings;
  await tx.query(
    `update payout_settings set minimum_cents = $2, schedule_day = $3, net_days = $4, two_persons = $5, payer_sealed = $6,
       next_run_at = $7, updated_at = $8 where program_id = $1`,
    [programId, JSON.stringify(minimumCents), scheduleDay, netDays, twoPersons, payerSealed, nextRunAt, now],
  );
}

/** Programs whose schedule is due, the longest due first. */
export async function listDuePrograms(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ programId: number }>(
    `select s.program_id as "programId" from payout_settings s join programs p on p.id = s.program_id
     where s.next_run_at <= $1 and p.deleted_at is null order by s.next_run_at, 1 limit $2`,
    [now, limit],
  );
  return rows.map(({ programId }) => programId);
}

/** Takes the schedule of the program if it is due, and sets when it is due again. Null if another node was faster. */
export async function claimSchedule(tx: Queryable, programId: number, now: Date): Promise<number | null> {
  const [row] = await tx.query<{ day: number }>(
    `select schedule_day as day from payout_settings where program_id = $1 and next_run_at <= $2 for update`,
    [programId, now],
  );
  return row?.day ?? null;
}

export async function updateNextRun(tx: Queryable, programId: number, nextRunAt: Date): Promise<void> {
  await tx.query('update payout_settings set next_run_at = $2 where program_id = $1', [programId, nextRunAt]);
}
