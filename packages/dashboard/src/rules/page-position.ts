import { formatCount } from './money.ts';

type PagePosition = {
  count: number;
  /** What the list holds, in the plural and in lower case. */
  noun: string;
  /** How many rows the page has and can have, and how many pages come before it; null where that is not known. */
  page: { shown: number; size: number; position: number } | null;
};

/** Where a page of a list is: “26–50 of 8,990 partners”, or only how many there are. */
export function describePage({ count, noun, page }: PagePosition): string {
  const all = `${formatCount(count)} ${count === 1 ? noun.replace(/s$/, '') : noun}`;
  if (page === null || page.shown === 0) return all;
  const first = page.position * page.size + 1;
  return `${formatCount(first)}–${formatCount(first + page.shown - 1)} of ${all}`;
}
