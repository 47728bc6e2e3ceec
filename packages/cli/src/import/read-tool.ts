import { Failure } from '../failure.ts';
import type { LeftOut } from './reading.ts';
import type { Spool, SpooledPage } from './spool.ts';
import type { List, Rows, Tool } from './tool.ts';
import type { ToolClient } from './tool-client.ts';

/** Reads all lists of a tool into the spool, from where an earlier command stopped. */
export async function readLists(
  { lists, title }: Tool,
  client: ToolClient,
  spool: Spool,
  onPage: (list: string, count: number) => void,
): Promise<void> {
  const counts = new Map<string, number>();
  const count = ({ list, rows, unreadable }: SpooledPage) => {
    counts.set(list, (counts.get(list) ?? 0) + rows.length + unreadable.length);
    return counts.get(list) ?? 0;
  };
  const last = new Map<string, string | null>();
  for (const page of spool.pages) {
    count(page);
    last.set(keyOf(page), page.next);
  }
  for (const list of lists) {
    for (const parent of parentsOf(list, spool)) {
      const seen = new Set<string>();
      let path = last.has(keyOf({ list: list.name, parent }))
        ? last.get(keyOf({ list: list.name, parent }))
        : list.path(parent);
      while (path) {
        const page = pageOf(list, title, await client.get(path), path);
        // A tool that does not know a parameter answers the same page forever.
        const text = JSON.stringify(page.rows);
        if (page.next !== null && seen.has(text))
          throw new Failure(`${title} answered the same page of ${list.name} twice.`);
        seen.add(text);
        const spooled = { list: list.name, parent, next: page.next, ...sorted(list, page.rows) };
        await spool.add(spooled);
        onPage(list.name, count(spooled));
        path = page.next;
      }
    }
  }
}

const keyOf = ({ list, parent }: { list: string; parent: string }) => `${list}\n${parent}`;

function parentsOf({ each }: List, spool: Spool): string[] {
  if (!each) return [''];
  const rows = spool.pages.filter(({ list }) => list === each.row).flatMap((page) => page.rows);
  return [...new Set(rows.map((row) => each.id(row as never)))];
}

function pageOf(list: List, title: string, body: unknown, path: string) {
  if (body === undefined && list.optional) return { rows: [], next: null };
  const page = list.page(body, path);
  if (!page) throw new Failure(`${title} answered ${path.split('?')[0]} with something that is no list.`);
  return page;
}

/** The rows that the list’s schema can read, and what is wrong with the others. */
function sorted({ row }: List, rows: unknown[]): Pick<SpooledPage, 'rows' | 'unreadable'> {
  const results = rows.map((each) => row.safeParse(each));
  return {
    rows: results.flatMap(({ data, success }) => (success ? [data] : [])),
    unreadable: results.flatMap(({ error }, index) => {
      const [issue] = error?.issues ?? [];
      return issue ? [{ number: index + 1, problem: `${issue.path.join('.') || 'row'}: ${issue.message}` }] : [];
    }),
  };
}

/**
 * The rows of each list, each with the row that it was listed for. Lists move while they are read, so that a row can be on two
 * pages: it counts once, as it was the last time.
 */
export function rowsOf(spool: Spool): Rows {
  return <Row>(name: string) => {
    const pages = spool.pages.filter(({ list }) => list === name);
    const rows = pages.flatMap(({ parent, rows: found }) => found.map((row) => ({ ...(row as Identified), parent })));
    return [...new Map(rows.map((row) => [`${row.id ?? row.key ?? JSON.stringify(row)}`, row])).values()] as Row[];
  };
}

type Identified = { id?: string; key?: string };

/** Rows that could not be read, by their list, page and number. */
export function unreadableRows(spool: Spool): LeftOut[] {
  const before = new Map<string, number>();
  return spool.pages.flatMap(({ list, rows, unreadable }) => {
    const start = before.get(list) ?? 0;
    before.set(list, start + rows.length + unreadable.length);
    return unreadable.map(({ number, problem }) => ({
      kind: 'row' as const,
      id: `${list} ${start + number}`,
      reason: problem,
    }));
  });
}
