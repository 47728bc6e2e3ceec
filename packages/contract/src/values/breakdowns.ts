/** What a report can be broken down by. `none` is the name of the row for visits without a value. */
export const BREAKDOWNS = {
  partner: { title: 'Partner', plural: 'Partners', none: 'No partner' },
  group: { title: 'Group', plural: 'Groups', none: 'No partner' },
  link: { title: 'Link', plural: 'Links', none: 'No link' },
  coupon: { title: 'Coupon', plural: 'Coupons', none: 'No coupon' },
  payment: { title: 'New or recurring', plural: 'New and recurring', none: 'No payment' },
  landing_page: { title: 'Landing page', plural: 'Landing pages', none: 'Unknown' },
  referrer: { title: 'Referrer', plural: 'Referrers', none: 'Direct' },
  device: { title: 'Device', plural: 'Devices', none: 'Unknown' },
  country: { title: 'Country', plural: 'Countries', none: 'Unknown' },
  utm_source: { title: 'UTM source', plural: 'UTM sources', none: 'No source' },
  utm_medium: { title: 'UTM medium', plural: 'UTM media', none: 'No medium' },
  utm_campaign: { title: 'UTM campaign', plural: 'UTM campaigns', none: 'No campaign' },
  sub: { title: 'Sub-ID', plural: 'Sub-IDs', none: 'No sub-ID' },
} as const;

export type Breakdown = keyof typeof BREAKDOWNS;

export const BREAKDOWN_NAMES = Object.keys(BREAKDOWNS) as [Breakdown, ...Breakdown[]];

/** What partners have nothing to compare with: they see their own numbers only. */
const OF_BRANDS: Breakdown[] = ['partner', 'group', 'coupon'];

/** What a report can be broken down by: countries where the operator has configured a database of them. */
export function availableBreakdowns({ isPartner, hasCountries }: { isPartner: boolean; hasCountries: boolean }) {
  return BREAKDOWN_NAMES.filter(
    (name) => (hasCountries || name !== 'country') && !(isPartner && OF_BRANDS.includes(name)),
  );
}

/** Payments by whether a subscription was renewed. */
export const PAYMENTS = { new: 'New and one-time', renewal: 'Renewals' } as const;

/** The classes of devices that visits are counted by. */
export const DEVICES = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', bot: 'Bots' } as const;

/** What a chart's points stand for. */
export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];
