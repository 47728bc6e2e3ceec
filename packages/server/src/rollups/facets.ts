/** What a visit is broken down by, besides its partner and link. Each is a column of `customer_facets`. */
export const FACETS = [
  'landing_page',
  'referrer',
  'device',
  'country',
  'utm_source',
  'utm_medium',
  'utm_campaign',
] as const;

export type Facet = (typeof FACETS)[number];

/** How many values of a facet a day has, for a program and for each of its partners; the others are counted together. */
export const MAX_VALUES_A_DAY = 100;

/** The SQL of a list of the facet columns. */
export const FACET_COLUMNS = FACETS.join(', ');

/** The SQL that turns the facet columns of a row into one row for each facet. */
export const FACET_ROWS = `(values ${FACETS.map((facet) => `('${facet}', ${facet})`).join(', ')}) f(facet, value)`;

/** The SQL of the facets of a click `k`, in the order of the columns. */
export const FACETS_OF_CLICK = `
  visit_page(coalesce(nullif(k.page_url, ''), k.affiliate_url)) as landing_page,
  visit_referrer(k.referrer_url, coalesce(nullif(k.page_url, ''), k.affiliate_url)) as referrer,
  visit_device(k.user_agent) as device,
  coalesce(k.country, '') as country,
  ${['utm_source', 'utm_medium', 'utm_campaign']
    .map((name) => `visit_parameter(coalesce(nullif(k.affiliate_url, ''), k.page_url), '${name}') as ${name}`)
    .join(', ')}`;
