type Value = string | number | boolean | Date | number[] | null | undefined;

/** SQL with a `?` for each value. */
export type Condition = [sql: string, ...values: Value[]];

/** Which rows of a list a caller gets. */
export type Selection = {
  /** Whose rows they are. All of it applies, and none of its values may be missing. */
  scope: Condition[];
  /** What was asked for. A filter is left out when one of its values is missing. */
  filters: Condition[];
};

/** Instead of a partner, where the rows of all partners are meant. */
export const EVERYONE = 'everyone';
export type Whose = number | typeof EVERYONE;

/** The rows of a program, and in it those of one partner or of everyone. */
export type ProgramScope = { programId: number; partnerId: Whose };

/** The scope of a list with the columns of its program and its partner. */
export function inProgram(
  { program, partner }: { program: string; partner: string },
  { programId, partnerId }: ProgramScope,
): Condition[] {
  const everyone: Condition[] = [[`${program} = ?`, programId]];
  return partnerId === EVERYONE ? everyone : [...everyone, [`${partner} = ?`, partnerId]];
}

/**
 * The conditions of a list, with only the filters that apply, so that each combination gets its own plan and its own index. Their
 * values are added to `params`. A scope with a missing value throws: left out, it would open the rows of others.
 */
export function whereClause({ scope, filters }: Selection, params: unknown[]): string {
  const isScoped = scope.some(([, ...values]) => values.length > 0);
  if (!isScoped || !scope.every(isComplete)) throw new Error('The scope of a list lacks a value');
  return `where ${toSql(scope, params)}${andFilters(filters, params)}`;
}

/** Filters that apply, to be added to the conditions of a list. */
export function andFilters(filters: Condition[], params: unknown[]): string {
  return filters
    .filter(isComplete)
    .map((filter) => ` and ${toSql([filter], params)}`)
    .join('');
}

function isComplete([, ...values]: Condition): boolean {
  return values.every((value) => value !== null && value !== undefined);
}

function toSql(conditions: Condition[], params: unknown[]): string {
  const parts = conditions.map(([sql, ...values]) => {
    let next = 0;
    return sql.replace(/\?/g, () => `$${params.push(values[next++])}`);
  });
  return parts.join(' and ');
}

/** The select list of a row: every field with the SQL that gives it. */
export function selectList(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(', ');
}

/** The bounds of all texts that start with `prefix`, in byte order. */
export function prefixBounds(prefix: string | undefined): [string, string] | [undefined, undefined] {
  return prefix === undefined ? [undefined, undefined] : [prefix, `${prefix}\u{10ffff}`];
}
