import type { Queryable } from '../db.ts';
import { columnsTreated, ERASURE } from './erasure.ts';

/** Where a person may be named, and what texts that name them contain, in any case. */
export type Searched = { programId: number; workspaceId: number; customerIds: number[]; words: string[] };

/** How texts that name a person are recognized and changed. */
export type Redaction = {
  redact: (value: unknown) => unknown;
  isNamed: (value: unknown) => boolean;
  hasAddress: (value: unknown) => boolean;
};

/**
 * Removes a person from the texts of a table, as the list of erasures says: redacts them, or replaces those that have to stay
 * unique. It looks only at the rows that the list selects, and changes nothing else.
 */
export async function redactTexts(db: Queryable, table: string, searched: Searched, by: Redaction): Promise<void> {
  const { rows: where, replacement, redactedWithin = {} } = ERASURE[table] ?? {};
  const redacted = columnsTreated(table, 'redacted');
  const unique = replacement ? columnsTreated(table, 'replaced') : [];
  const published = replacement ? columnsTreated(table, 'public') : [];
  const columns = [...redacted, ...unique, ...published];
  // The rows are locked, so their places stay.
  const found = await db.query<Record<string, unknown> & { place: string }>(
    `select t.ctid::text as place, ${[...(replacement ? ['id'] : []), ...columns].map((name) => `t.${name}`).join(', ')}
     from (select $1::bigint as program_id, $2::bigint as workspace_id, $3::bigint[] as customer_ids) a, ${table} t
     where ${where} and exists (
       select from unnest($4::text[]) word
       where position(lower(word) in lower(concat_ws(' ', ${columns.map((name) => `t.${name}::text`).join(', ')}))) > 0)
     for update of t`,
    [searched.programId, searched.workspaceId, searched.customerIds, searched.words],
  );
  for (const { place, id, ...row } of found) {
    const changed = Object.entries(row).map(([name, value]) => {
      if (redacted.includes(name)) return [name, redactWithin(redactedWithin[name], value, by.redact)];
      const isReplaced = unique.includes(name) ? by.isNamed(value) : by.hasAddress(value);
      return [name, isReplaced ? `${replacement}${id}` : value];
    });
    await db.query(
      `update ${table} t set ${columns.map((name) => `${name} = i.${name}`).join(', ')}
       from json_populate_record(null::${table}, $2::json) i where t.ctid = $1::tid`,
      [place, JSON.stringify(Object.fromEntries(changed))],
    );
  }
}

/** Redacts a value, or only the values of this object in it. */
function redactWithin(object: string | undefined, value: unknown, redact: Redaction['redact']): unknown {
  if (object === undefined) return redact(value);
  const whole = value as Record<string, Record<string, unknown>>;
  const texts = Object.entries(whole[object] ?? {}).map(([name, text]) => [name, redact(text)]);
  return { ...whole, [object]: Object.fromEntries(texts) };
}
