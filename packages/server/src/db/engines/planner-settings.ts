/**
 * Planner settings for every connection. A statement is planned once, perhaps while its tables are nearly empty, and its
 * plan must still be good when they are full. So rows are looked up by key, one at a time: no plan may read a whole table,
 * whether to scan it or to hash, sort or materialize it for a join.
 */
export const PLANNER_SETTINGS = [
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set enable_material = off',
  'set jit = off',
].join('; ');

/** Says that this connection appends what it adds to the counts. Triggers count for nodes of an earlier release, until 0.3.0. */
export const COUNTS_ARE_APPENDED = `set svc.counts = 'appended'`;
