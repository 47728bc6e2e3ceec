import type { Queryable } from '../../../server/src/db/db.ts';

type Node = {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Join Filter'?: string;
  Plans?: Node[];
};

function allNodes(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

/** Whether the scan finds its rows through an index, directly or with a bitmap. */
function isIndexLookup(node: Node): boolean {
  // A condition of the scan may be a query of its own.
  const bitmaps = (node.Plans ?? []).filter((plan) => plan['Parent Relationship'] !== 'SubPlan');
  const indexScans = node['Node Type'] === 'Bitmap Heap Scan' ? bitmaps.flatMap(allNodes) : [node];
  return indexScans.every((scan) => scan['Index Cond'] !== undefined || scan['Node Type'] === 'BitmapOr');
}

/** The nodes of the plan of a statement for any parameters, as connections keep it. */
async function planOf(db: Queryable, sql: string): Promise<Node[]> {
  const [row] = await db.query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (generic_plan, format json) ${sql}`);
  return allNodes(row?.['QUERY PLAN'][0]?.Plan as Node);
}

/** The scans of these tables in the plan of a statement that are not index lookups. */
export async function fullScansOf(db: Queryable, sql: string, tables: string[]): Promise<Node[]> {
  return (await planOf(db, sql)).filter(
    (node) =>
      node['Node Type'].includes('Scan') && tables.includes(node['Relation Name'] ?? '') && !isIndexLookup(node),
  );
}

/** The joins in the plan of a statement that compare every row that it was sent, or has just read, with every row of the other side. */
export async function pairwiseJoinsOf(db: Queryable, sql: string): Promise<Node[]> {
  return (await planOf(db, sql)).filter((node) => {
    const [, inner] = node.Plans ?? [];
    return node['Join Filter'] !== undefined && /^(CTE|Function) Scan$/.test(inner?.['Node Type'] ?? '');
  });
}

/** What the plan of a statement looks up in the indexes of a table. */
export async function indexConditionsOf(db: Queryable, sql: string, table: string): Promise<(string | undefined)[]> {
  const scans = (await planOf(db, sql)).filter((node) => node['Relation Name'] === table);
  return scans.flatMap((scan) => allNodes(scan)).flatMap((node) => node['Index Cond'] ?? []);
}

/**
 * The scans of these tables that look something up in an index whose first column they do not know: all of the index is read. A database
 * that was told that a table is empty may plan so, one that knows nothing must not.
 */
export async function indexScansOf(db: Queryable, sql: string, tables: string[]): Promise<Node[]> {
  const firstColumns = await db.query<{ index: string; column: string }>(
    `select x.indexrelid::regclass::text as index, a.attname as column
     from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
     where x.indrelid::regclass::text = any ($1)`,
    [tables],
  );
  const columnOf = new Map(firstColumns.map(({ index, column }) => [index, column]));
  return (await planOf(db, sql)).filter((node) => {
    const column = columnOf.get(node['Index Name'] ?? '');
    return column && node['Index Cond'] && !new RegExp(`\\b${column}\\b`).test(node['Index Cond']);
  });
}

/** The sorts in the plan of a statement that read all that the statement finds in a table before they pass on the first row. */
export async function sortsOf(db: Queryable, sql: string, table: string): Promise<Node[]> {
  return (await planOf(db, sql)).filter(
    (node) => node['Node Type'].endsWith('Sort') && allNodes(node).some((read) => read['Relation Name'] === table),
  );
}
