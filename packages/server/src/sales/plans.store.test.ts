import { expect, it } from 'vitest';
import { useService } from '../../test/service.ts';
import { insertClicks } from '../clicks/click-store.ts';
import type { Queryable } from '../db/db.ts';
import { findForLeads } from '../leads/lead-facts-store.ts';
import { writeLeads } from '../leads/lead-store.ts';
import { findSaleFacts } from './sale-facts-store.ts';
import { insertSales } from './sale-store.ts';

// A plan lives as long as its connection. It may be made when the tables are empty, as they are here, and must not read
// them as a whole when they are full.
const service = useService();

const GROWING = ['customers', 'clicks', 'sales', 'commissions', 'transactions', 'decisions'];

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Join Type'?: string;
  Plans?: Node[];
};

function allNodes(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

/** The scans of growing tables, in what `ask` asks for, that are not a look-up in an index. */
async function wholeScansOf(ask: (db: Queryable) => Promise<unknown>): Promise<Node[]> {
  const nodes: Node[] = [];
  await ask({
    async query<Row>(sql: string): Promise<Row[]> {
      const [row] = await service.ctx.db.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
        `explain (generic_plan, format json) ${sql}`,
      );
      nodes.push(...allNodes(row?.['QUERY PLAN'][0]?.Plan as Node));
      return [];
    },
  });
  expect(nodes.length).toBeGreaterThan(0);
  return nodes.filter(
    (node) =>
      node['Node Type'].includes('Scan') && GROWING.includes(node['Relation Name'] ?? '') && !node['Index Cond'],
  );
}

it.each<[what: string, ask: (db: Queryable) => Promise<unknown>]>([
  ['writing clicks', (db) => insertClicks(db, [])],
  ['looking up whom leads are about', (db) => findForLeads(db, [])],
  ['writing leads', (db) => writeLeads(db, [])],
  ['looking up whom sales are about', (db) => findSaleFacts(db, [])],
  ['writing sales', (db) => insertSales(db, [])],
])('%s looks rows up by key, however small the tables are when it is planned', async (_what, ask) => {
  expect(await wholeScansOf(ask)).toEqual([]);
});
