import { after, basic, FakeTool } from './fake-tool.ts';

/**
 * From https://docs.partnerstack.com/reference: basic authentication with both keys, `data.items`, `starting_after` with the key of
 * a row, amounts in cents, times in milliseconds, `reward_status` and `decline_reason`. The `key` of a reward’s partnership
 * stands to reason; its email address is published.
 */
export type PartnerStackData = Record<'partnerships' | 'customers' | 'rewards', Keyed[]> & {
  links: Record<string, Keyed[]>;
};

type Keyed = { key: string; [field: string]: unknown };

export function fakePartnerStack(data: PartnerStackData): FakeTool {
  const reply = (items: object[], hasMore: boolean) => ({
    data: { has_more: hasMore, items },
    message: 'OK',
    status: 200,
  });
  return new FakeTool({
    isAllowed: ({ authorization }) => authorization === basic('ps-public', 'ps-secret'),
    answer: ({ path, query }) => {
      const [, partnership] = /^\/links\/partnership\/(.+)$/.exec(path) ?? [];
      if (partnership) return data.links[partnership] && reply(data.links[partnership], false);
      const rows = data[path.slice(1) as 'customers'];
      if (!rows) return undefined;
      const { page, hasMore } = after(rows, query, 'starting_after', 'limit', ({ key }) => key);
      return reply(page, hasMore);
    },
  });
}
