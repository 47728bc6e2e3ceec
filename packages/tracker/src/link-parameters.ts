/**
 * The URL with `aff` in place of the first of the parameters that has a value, because the service reads nothing else. A URL
 * with an `aff` stays as it is.
 */
export const withAff = (url: string, parameters: readonly string[] = []): string => {
  const page = new URL(url);
  const { searchParams: query } = page;
  const name = ['aff', ...parameters].find((parameter) => query.get(parameter));
  if (!name || name === 'aff') return url;
  query.set('aff', query.get(name) as string);
  query.delete(name);
  return page.href;
};
