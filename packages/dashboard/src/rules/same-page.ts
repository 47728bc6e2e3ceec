type Place = { pathname: string; search: Readonly<Record<string, unknown>> };
type Target = { id: number; isPartner: boolean };

/** Pages that brands and partners have under the same name. */
const ON_BOTH_SIDES = new Set(['overview', 'reports', 'links', 'customers', 'sales', 'payouts', 'terms']);

/** What means the same in every program. Records and pages of a list are another program’s. */
const KEPT_PARAMETERS = ['tab', 'status', 'link_state', 'active', 'period', 'from', 'to', 'breakdown', 'sort'];

/** The address of the same page in another program. From a single record it leads to the list that such records are in. */
export function samePage({ pathname, search }: Place, { id, isPartner }: Target): string {
  const side = isPartner ? 'portal' : 'programs';
  const [, , from, , page = 'overview', ...rest] = pathname.split('/');
  const isThere = from === side || ON_BOTH_SIDES.has(page);
  const base = `/app/${side}/${id}/${isThere ? page : 'overview'}`;
  if (!isThere || rest.length > 0 || from !== side) return base;
  const kept = KEPT_PARAMETERS.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : []));
  const query = new URLSearchParams(kept as [string, string][]).toString();
  return query ? `${base}?${query}` : base;
}
