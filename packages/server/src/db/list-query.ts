type Value = string | number | boolean | Date | null | undefined;

/** SQL with a `?` for each value; it is left out of the list when one of its values was not given. */
export type Condition = [sql: string, ...values: Value[]];

/**
 * The statement of a list that holds the conditions that were asked for and no others, so that each combination is
 * planned by itself and finds its own index.
 */
export function listQuery(
  select: string,
  conditions: Condition[],
  orderBy: string,
  limit: number,
): [sql: string, params: unknown[]] {
  const params: unknown[] = [];
  const given = conditions.filter(([, ...values]) => values.every((value) => value !== null && value !== undefined));
  const parts = given.map(([sql, ...values]) => {
    let next = 0;
    return sql.replace(/\?/g, () => `$${params.push(values[next++])}`);
  });
  params.push(limit);
  return [`${select} where ${parts.join(' and ')} order by ${orderBy} limit $${params.length}`, params];
}

/** The select list of a row type: every field with the SQL that gives it. */
export function selectList(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ');
}

/** Bounds between which lie all texts that begin with `prefix`, in the order of their bytes. */
export function prefixBounds(prefix: string | undefined): [string, string] | [undefined, undefined] {
  return prefix === undefined ? [undefined, undefined] : [prefix, `${prefix}\u{10ffff}`];
}
