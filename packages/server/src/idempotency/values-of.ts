/** A body as text that is the same for the same values, in whatever order its fields were sent. */
export function valuesOf(body: unknown): string {
  return exactText(body, (part) => (isObject(part) ? inOrder(part) : part));
}

/** A body as text, with its fields in the order in which they were sent. */
export function spellingOf(body: unknown): string {
  return exactText(body, (part) => part);
}

/** JSON writes numbers that are too large for it, such as 1e400, as null. Which parts they are is said after its end. */
function exactText(body: unknown, read: (part: unknown) => unknown): string {
  const infinite: string[] = [];
  let parts = 0;
  const text = JSON.stringify(body, (_name, part: unknown) => {
    parts += 1;
    if (part === Number.POSITIVE_INFINITY || part === Number.NEGATIVE_INFINITY) infinite.push(`${parts}: ${part}`);
    return read(part);
  });
  return text + infinite.join();
}

function isObject(part: unknown): part is object {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

function inOrder(fields: object): object {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}
