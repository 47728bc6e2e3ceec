import { type Attribution, type DescribedRule, type TermsRow, termsRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { listSource } from '../db/lists/sorted-list.ts';
import type { FeedRows } from '../outbox/outbox-store.ts';

/** The rows of events about terms. */
export const TERMS_ROWS: FeedRows = {
  subject: 'terms',
  source: listSource<TermsRow, never>({
    row: termsRow,
    table: 'terms_versions',
    as: 'v',
    columns: {},
    computed: {},
    sorts: {},
  }),
  key: 'v.program_id = i.program_id and v.version = i.id',
  about: {},
};

/** What a version says besides the commission settings of its program, and who published it. */
export type PublishedTerms = {
  rules: DescribedRule[];
  attribution: Attribution;
  since: Date;
  madeBy: string;
  note: string | null;
};

/** Makes a new version of the terms the current one. The database keeps it: see its triggers. */
export async function updateProgramTerms(db: Queryable, programId: number, published: PublishedTerms): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `update programs set rules = $2::jsonb, terms_since = $3, terms_made_by = $4, terms_note = $5, attribution = $6,
       terms_version = (select max(version) + 1 from terms_versions where program_id = $1)
     where id = $1 returning terms_version as version`,
    [
      programId,
      JSON.stringify(published.rules),
      published.since,
      published.madeBy,
      published.note,
      published.attribution,
    ],
  );
  return row!.version;
}

/** Updates the number of scheduled versions of a program, which tells every node that they changed. */
export async function updateScheduledCount(db: Queryable, programId: number): Promise<void> {
  await db.query(
    `update programs p set scheduled_terms = (
       select count(*) from terms_versions v where v.program_id = p.id and v.version > p.terms_version)
     where p.id = $1`,
    [programId],
  );
}

/** Puts versions that were scheduled and have begun into the rows of their programs. Returns how many. */
export async function updateBegunTerms(db: Queryable, now: Date, programId: number | null = null): Promise<number> {
  const rows = await db.query(
    `update programs p set terms_version = v.version, terms_since = v.effective_from, terms_made_by = v.made_by,
       terms_note = v.note, rules = v.rules, attribution = v.attribution, scheduled_terms = (
         select count(*) from terms_versions n where n.program_id = p.id and n.version > v.version)
     from (
       select distinct on (b.program_id) b.* from programs held
       join terms_versions b on b.program_id = held.id and b.version > held.terms_version and b.effective_from <= $1
       where held.scheduled_terms > 0 and ($2::bigint is null or held.id = $2)
       order by b.program_id, b.version desc) v
     where p.id = v.program_id and p.terms_version < v.version returning 1`,
    [now, programId],
  );
  return rows.length;
}
