/** How many rows one statement writes at most, so that it ends in time even on a busy machine. */
export const MAX_ROWS_AT_ONCE = 2_500;

/** The items in their order, in pieces of at most this size. */
export function slicesOf<Item>(items: readonly Item[], size = MAX_ROWS_AT_ONCE): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
