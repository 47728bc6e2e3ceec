import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * The first of these columns that have to go so that the table fits its element, found before it is painted. A column that did
 * not fit stays away until `scope` changes, such as the width, so that none comes and goes from page to page.
 */
export function useDroppedColumns(
  element: RefObject<HTMLElement | null>,
  titles: readonly string[],
  scope: string,
): ReadonlySet<string> {
  const [held, setHeld] = useState({ scope, count: 0 });
  const count = held.scope === scope ? held.count : 0;
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = element.current ?? {};
    const isTooWide = scrollWidth > clientWidth && count < titles.length;
    // What went at an earlier width is forgotten: the table may have been drawn before it was told of the next one.
    if (isTooWide || held.scope !== scope) setHeld({ scope, count: isTooWide ? count + 1 : count });
  });
  return new Set(titles.slice(0, count));
}
