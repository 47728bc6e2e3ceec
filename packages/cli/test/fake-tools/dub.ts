import { after, FakeTool, numbered } from './fake-tool.ts';

/**
 * From https://dub.co/docs/api-reference: Bearer, lists as arrays, `page` and `pageSize` for partners, `startingAfter` for commissions,
 * links with `domain`, `key`, `shortLink` and `url`, commissions with `earnings` in cents. `startingAfter` of customers, and their
 * `partner` with `includeExpandedFields`, stand to reason from the description of that parameter.
 */
export type DubData = Record<'partners' | 'customers' | 'commissions', { id: string }[]>;

export function fakeDub(data: DubData): FakeTool {
  return new FakeTool({
    isAllowed: ({ authorization }) => authorization === 'Bearer dub_key',
    answer: ({ path, query }) => {
      if (path === '/partners') return numbered(data.partners, query, 'pageSize', 50);
      const rows = data[path.slice(1) as keyof DubData];
      return rows && after(rows, query, 'startingAfter', 'pageSize', ({ id }) => id).page;
    },
  });
}
