/**
 * What every connection tells the planner. A statement is planned once, perhaps while its tables are nearly empty; the plan
 * must be as good when they are full. So rows are looked up by key, one after the other, and nothing reads a table as a
 * whole because that once was the cheaper way: neither to scan it nor to hash, sort or keep it for a join.
 */
export const PLANNER_SETTINGS = [
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set enable_material = off',
  'set jit = off',
].join('; ');
