import type { Queryable } from '../../db/db.ts';

/** Stores what stands for a coupon code at the payment processor. The latest word counts. Returns what is new or has changed. */
export async function upsertProcessorCodes(
  db: Queryable,
  programId: number,
  references: string[],
  code: string,
): Promise<string[]> {
  const rows = await db.query<{ reference: string }>(
    `insert into processor_codes as c (program_id, reference, code)
     select $1, reference, $3 from unnest($2::text[]) reference group by 2 order by 2
     on conflict (program_id, reference) do update set code = excluded.code where c.code <> excluded.code
     returning reference`,
    [programId, references, code],
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
