/** A body as text that is the same for the same values, in whatever order its fields were sent. */
export function valuesOf(body: unknown): string {
  return JSON.stringify(body, (_name, part: unknown) => (isObject(part) ? inOrder(part) : part));
}

function isObject(part: unknown): part is object {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

function inOrder(fields: object): object {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}
