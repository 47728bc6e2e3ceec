import { after, FakeTool } from './fake-tool.ts';

/**
 * From https://docs.tolt.com/api-reference and its webhooks: Bearer, `limit` up to 100, `starting_after`, `has_more` and `next_cursor`,
 * money as strings in the smallest unit, a negative commission of `type: refund`, links with `param` and `value`, codes like
 * `SUMMER2024`. The `partner_id` of links and customers is published; its `url` of links is from the guide for partners.
 */
export type ToltData = Record<'partners' | 'links' | 'promotion-codes' | 'customers' | 'commissions', { id: string }[]>;

export function fakeTolt(data: ToltData): FakeTool {
  return new FakeTool({
    isAllowed: ({ authorization }) => authorization === 'Bearer tolt-key',
    answer: ({ path, query }) => {
      const rows = data[path.slice(1) as keyof ToltData];
      if (!rows) return undefined;
      const { page, hasMore } = after(rows, query, 'starting_after', 'limit', ({ id }) => id);
      return { success: true, has_more: hasMore, next_cursor: hasMore ? page.at(-1)?.id : null, data: page };
    },
  });
}
