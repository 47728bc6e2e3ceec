import type { Queryable } from '../../db/db.ts';

/**
 * Stores what stands for a coupon code at the payment processor, as an event said at a time. The latest word counts, whenever it
 * arrives. Returns what stands for another code now. The rows are locked first, so that no other change is missed.
 */
export async function upsertProcessorCodes(
  db: Queryable,
  programId: number,
  references: string[],
  code: string,
  saidAt: Date,
): Promise<string[]> {
  const rows = await db.query<{ reference: string }>(
    `with before as materialized (
       select reference, code from processor_codes
       where program_id = $1 and reference = any ($2::text[]) order by reference for update
     ), written as (
       insert into processor_codes as c (program_id, reference, code, said_at)
       select $1, r.reference, $3, $4
       from unnest($2::text[]) r (reference) left join before using (reference) group by 2 order by 2
       on conflict (program_id, reference) do update set code = excluded.code, said_at = excluded.said_at
         where c.said_at is null or c.said_at <= excluded.said_at
       returning reference, code)
     select w.reference from written w left join before b using (reference) where w.code is distinct from b.code`,
    [programId, references, code, saidAt],
  );
  return rows.map(({ reference }) => reference);
}

/**
 * Lets other ids stand for the code that one stands for. The latest word counts here, too, also if it says the same again. Returns what
 * stands for another code now.
 */
export async function copyProcessorCode(
  db: Queryable,
  programId: number,
  from: string,
  to: string[],
): Promise<string[]> {
  const rows = await db.query<{ reference: string }>(
    `with before as materialized (
       select reference, code from processor_codes
       where program_id = $1 and reference = any ($3::text[]) order by reference for update
     ), written as (
       insert into processor_codes as c (program_id, reference, code, said_at)
       select s.program_id, r.reference, s.code, s.said_at
       from processor_codes s, unnest($3::text[]) r (reference) left join before using (reference)
       where s.program_id = $1 and s.reference = $2 group by 1, 2, 3, 4 order by 2
       on conflict (program_id, reference) do update set code = excluded.code, said_at = excluded.said_at
         where (c.said_at is null or c.said_at <= excluded.said_at)
           and (c.code, c.said_at) is distinct from (excluded.code, excluded.said_at)
       returning reference, code)
     select w.reference from written w left join before b using (reference) where w.code is distinct from b.code`,
    [programId, from, to],
  );
  return rows.map(({ reference }) => reference);
}

/**
 * Resolves processor ids to coupon codes, keeping the order of the input. A subscription may stand for a promotion code, and that
 * for what people write.
 */
export async function listCodesOf(db: Queryable, programId: number, names: string[]): Promise<string[]> {
  const rows = await db.query<{ name: string; code: string | null; written: string | null }>(
    `select n.name, a.code, b.code as written
     from unnest($2::text[]) with ordinality n (name, position)
     left join processor_codes a on a.program_id = $1 and a.reference = n.name
     left join processor_codes b on b.program_id = $1 and b.reference = a.code
     order by n.position`,
    [programId, names],
  );
  return rows.flatMap(({ name, code, written }) => [written, code, name]).filter((each) => each !== null);
}
