import type { Queryable } from '../db/db.ts';
import type { NewProgram, Program } from './program.ts';

const COLUMNS = `
  id, advertiser_id as "advertiserId", name, domain, commission_type as "commissionType",
  commission_rate as "commissionRate", currency, recurring_months as "recurringMonths",
  cookie_window_days as "cookieWindowDays", attribution_window_days as "attributionWindowDays",
  hold_days as "holdDays", lead_auth as "leadAuth", allowed_origins as "allowedOrigins", created_at as "createdAt"`;

export async function findProgram(db: Queryable, id: number): Promise<Program | null> {
  const [program] = await db.query<Program>(`select ${COLUMNS} from programs where id = $1`, [id]);
  return program ?? null;
}

export async function insertProgram(db: Queryable, program: NewProgram, now: Date): Promise<Program> {
  const [inserted] = await db.query<Program>(
    `insert into programs (advertiser_id, name, domain, commission_type, commission_rate, currency,
       recurring_months, cookie_window_days, allowed_origins, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     returning ${COLUMNS}`,
    [
      program.advertiserId,
      program.name,
      program.domain,
      program.commissionType,
      program.commissionRate,
      program.currency ?? 'USD',
      program.recurringMonths ?? null,
      program.cookieWindowDays ?? 60,
      program.allowedOrigins ?? [],
      now,
    ],
  );
  return inserted as Program;
}
