/**
 * Planner settings for every statement. A statement is planned once, perhaps while its tables are nearly empty, and its
 * plan must still be good when they are full. So rows are looked up by key, one at a time: no plan may read a whole table,
 * whether to scan it or to hash, sort or materialize it for a join.
 */
const PLANNER_SETTINGS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  jit: 'off',
};

/** Says that this connection appends what it adds to the counts. Triggers count for nodes of an earlier release, until 0.3.0. */
const COUNTS_ARE_APPENDED = { 'svc.counts': 'appended' };

export type Settings = Record<string, string | number>;

/** What every statement is run with. */
export const STATEMENT_SETTINGS: Settings = { ...PLANNER_SETTINGS, ...COUNTS_ARE_APPENDED };

/** Changes settings until the connection ends. */
export const setForSession = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

/** Changes settings until the transaction ends, which has begun and read nothing so far. */
export const setInTransaction = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join('; ');

/** The same before a statement of its own: one statement that returns no rows. */
export const setForStatement = (settings: Settings) => {
  const changes = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select where concat(${changes.join(', ')}) = ''`;
};
