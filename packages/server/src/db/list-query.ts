type Value = string | number | boolean | Date | null | undefined;

/** SQL with a `?` for each value. The condition is left out when one of its values is missing. */
export type Condition = [sql: string, ...values: Value[]];

/**
 * Builds the statement of a list with only the conditions that apply, so that each combination of filters gets its own
 * plan and its own index.
 */
export function listQuery(
  select: string,
  conditions: Condition[],
  orderBy: string,
  limit: number,
): [sql: string, params: unknown[]] {
  const params: unknown[] = [];
  const where = whereClause(conditions, params);
  params.push(limit);
  return [`${select} ${where} order by ${orderBy} limit $${params.length}`, params];
}

/** The conditions that apply, as SQL. Their values are added to `params`. */
export function whereClause(conditions: Condition[], params: unknown[]): string {
  const applied = conditions.filter(([, ...values]) => values.every((value) => value !== null && value !== undefined));
  const parts = applied.map(([sql, ...values]) => {
    let next = 0;
    return sql.replace(/\?/g, () => `$${params.push(values[next++])}`);
  });
  return `where ${parts.join(' and ')}`;
}

/** The select list of a row type: every field with the SQL that gives it. */
export function selectList(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ');
}

/** The bounds of all texts that start with `prefix`, in byte order. */
export function prefixBounds(prefix: string | undefined): [string, string] | [undefined, undefined] {
  return prefix === undefined ? [undefined, undefined] : [prefix, `${prefix}\u{10ffff}`];
}
