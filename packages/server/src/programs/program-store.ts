import type { Queryable } from '../db/db.ts';
import type { Contact, NewProgram, Program, ProgramTerms } from './program.ts';
import { slugOf } from './slug.ts';

const COLUMNS = `
  id, advertiser_id as "workspaceId", name, slug, domain, commission_type as "commissionType",
  commission_rate as "commissionRate", commission_base as "commissionBase", currency, recurring_months as "recurringMonths",
  cookie_window_days as "cookieWindowDays", attribution_window_days as "attributionWindowDays",
  hold_days as "holdDays", lead_auth as "leadAuth", allowed_origins as "allowedOrigins", joining,
  link_parameters as "linkParameters",
  join_token as "joinToken", status, brand_color as "brandColor", logo_name as "logoName", questions,
  agreement_version as "agreementVersion", terms_version as "termsVersion", terms_since as "termsSince", created_at as "createdAt",
  contact_email as "contactEmail", contact_url as "contactUrl", coupons_win as "couponsWin", rules, attribution, default_group_id as "defaultGroupId",
  case when scheduled_terms = 0 then '[]'::json else (
    select coalesce(json_agg(json_build_object('version', v.version, 'since', v.effective_from, 'rules', v.rules,
      'attribution', v.attribution) order by v.version), '[]')
    from terms_versions v where v.program_id = programs.id and v.version > programs.terms_version) end as "scheduledTerms"`;

export async function findProgram(db: Queryable, id: number): Promise<Program | null> {
  const [program] = await db.query<Program>(`select ${COLUMNS} from programs where id = $1 and deleted_at is null`, [
    id,
  ]);
  return program ?? null;
}

export function listProgramsById(db: Queryable, ids: number[]): Promise<Program[]> {
  return db.query<Program>(`select ${COLUMNS} from programs where id = any ($1::bigint[]) and deleted_at is null`, [
    ids,
  ]);
}

/** Finds the program and locks it, so that changes of its settings are judged one at a time. */
export async function findProgramForUpdate(db: Queryable, id: number): Promise<Program | null> {
  const [program] = await db.query<Program>(
    `select ${COLUMNS} from programs where id = $1 and deleted_at is null for no key update`,
    [id],
  );
  return program ?? null;
}

export async function insertProgram(db: Queryable, program: NewProgram & ProgramTerms, now: Date): Promise<Program> {
  const [inserted] = await db.query<Program>(
    `insert into programs (advertiser_id, name, domain, commission_type, commission_rate, currency,
       recurring_months, cookie_window_days, attribution_window_days, hold_days, lead_auth, allowed_origins,
       created_at, slug, joining, commission_base, contact_email, contact_url, coupons_win,
       link_parameters)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 || '-' || currval('programs_id_seq'), $15,
       $16, $17, $18, $19, $20)
     returning ${COLUMNS}`,
    [
      program.workspaceId,
      program.name,
      program.domain,
      program.commissionType,
      program.commissionRate,
      program.currency,
      program.recurringMonths,
      program.cookieWindowDays,
      program.attributionWindowDays,
      program.holdDays,
      program.leadAuth,
      program.allowedOrigins,
      now,
      slugOf(program.name),
      program.joining,
      program.commissionBase,
      program.contactEmail ?? null,
      program.contactUrl ?? null,
      program.couponsWin,
      program.linkParameters,
    ],
  );
  return inserted as Program;
}

/** How many programs the workspace has. It is locked, so that programs are created one at a time. */
export async function countProgramsForUpdate(db: Queryable, workspaceId: number): Promise<number> {
  await db.query('select 1 from advertisers where id = $1 for no key update', [workspaceId]);
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from programs where advertiser_id = $1 and deleted_at is null',
    [workspaceId],
  );
  return (row as { count: number }).count;
}

export type ListedProgram = Program & { partners: number };

export function listPrograms(db: Queryable, workspaceId: number): Promise<ListedProgram[]> {
  return db.query<ListedProgram>(
    `select ${COLUMNS}, (
       select count(*) from memberships m join partners p on p.id = m.partner_id
       where m.program_id = programs.id and m.status = 'active' and not p.is_test) as partners
     from programs where advertiser_id = $1 and deleted_at is null order by id desc`,
    [workspaceId],
  );
}

export type ProgramSettings = Partial<Pick<Program, 'name' | 'domain'> & ProgramTerms> & Contact;

/** Changes only what is given; null removes the limit of months and the contact. The database keeps a new version of the terms. */
export async function updateProgram(
  db: Queryable,
  id: number,
  changes: ProgramSettings,
  newTerms: { since: Date; madeBy: string } | null,
): Promise<Program> {
  const [program] = await db.query<Program>(
    `update programs set
       name = coalesce($2, name), domain = coalesce($3, domain),
       commission_type = coalesce($4, commission_type), commission_rate = coalesce($5, commission_rate),
       currency = coalesce($6, currency),
       recurring_months = case when $7 then $8 else recurring_months end,
       cookie_window_days = coalesce($9, cookie_window_days),
       attribution_window_days = coalesce($10, attribution_window_days),
       hold_days = coalesce($11, hold_days), lead_auth = coalesce($12, lead_auth),
       allowed_origins = coalesce($13, allowed_origins), joining = coalesce($14, joining),
       commission_base = coalesce($15, commission_base),
       terms_version = terms_version + case when $16 then 1 else 0 end,
       terms_since = case when $16 then $17 else terms_since end,
       terms_made_by = case when $16 then $18 else terms_made_by end,
       terms_note = case when $16 then null else terms_note end,
       contact_email = case when $19 then $20 else contact_email end,
       contact_url = case when $21 then $22 else contact_url end,
       coupons_win = coalesce($23, coupons_win),
       link_parameters = coalesce($24, link_parameters)
     where id = $1 returning ${COLUMNS}`,
    [
      id,
      changes.name ?? null,
      changes.domain ?? null,
      changes.commissionType ?? null,
      changes.commissionRate ?? null,
      changes.currency ?? null,
      changes.recurringMonths !== undefined,
      changes.recurringMonths ?? null,
      changes.cookieWindowDays ?? null,
      changes.attributionWindowDays ?? null,
      changes.holdDays ?? null,
      changes.leadAuth ?? null,
      changes.allowedOrigins ?? null,
      changes.joining ?? null,
      changes.commissionBase ?? null,
      newTerms !== null,
      newTerms?.since ?? null,
      newTerms?.madeBy ?? null,
      changes.contactEmail !== undefined,
      changes.contactEmail ?? null,
      changes.contactUrl !== undefined,
      changes.contactUrl ?? null,
      changes.couponsWin ?? null,
      changes.linkParameters ?? null,
    ],
  );
  return program as Program;
}

/** Replaces the join link; the previous one stops working immediately. */
export async function renewJoinToken(db: Queryable, id: number): Promise<Program> {
  const [program] = await db.query<Program>(
    `update programs set join_token = default where id = $1 returning ${COLUMNS}`,
    [id],
  );
  return program as Program;
}

/** Removes an address from the contacts of a workspace's programs. */
export async function deleteContact(db: Queryable, workspaceId: number, email: string): Promise<void> {
  await db.query(
    'update programs set contact_email = null where advertiser_id = $1 and lower(contact_email) = lower($2)',
    [workspaceId, email],
  );
}

/** For how many days clicks can still decide whom a sale is credited to, in the programs that credit the last click; 0 if none does. */
export async function findLongestWindow(db: Queryable): Promise<number> {
  const [longest] = await db.query<{ days: number | null }>(
    `select max(greatest(p.attribution_window_days, p.cookie_window_days)) as days from programs p
     where p.attribution = 'last' or exists (select from terms_versions v where v.program_id = p.id and v.attribution = 'last')`,
  );
  return longest?.days ?? 0;
}
