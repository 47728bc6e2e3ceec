import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * The first of these columns that have to go so that the table fits its element, found before it is painted. A column that did
 * not fit stays away until the width or the choice changes, so that none comes and goes from page to page.
 */
export function useDroppedColumns(
  element: RefObject<HTMLElement | null>,
  titles: readonly string[],
  width: number,
  choice: unknown,
): ReadonlySet<string> {
  const scope = JSON.stringify([width, choice, titles]);
  const [held, setHeld] = useState({ scope, count: 0 });
  const count = held.scope === scope ? held.count : 0;
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = element.current ?? {};
    // A table can be drawn before it is told of its new width. What does not fit then says nothing about the old one.
    if (clientWidth === width && scrollWidth > clientWidth && count < titles.length)
      setHeld({ scope, count: count + 1 });
  });
  return new Set(titles.slice(0, count));
}
