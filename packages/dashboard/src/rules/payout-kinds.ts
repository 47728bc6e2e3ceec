import { PAYOUT_REACH, type PayoutKind } from '@svc/contract';

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });
const LISTS = new Intl.ListFormat('en', { type: 'conjunction' });

export function countryName(code: string): string {
  return COUNTRY_NAMES.of(code) ?? code;
}

/** The currencies that most partners are paid in. */
const COMMON = ['USD', 'EUR', 'GBP'];
const FEW = 3;

/** Which currencies a kind pays, in a few words. */
export function currenciesInWords(kind: PayoutKind): string {
  const { currencies } = PAYOUT_REACH[kind];
  if (!currencies) return 'Any currency';
  if (currencies.length <= FEW) return `${LISTS.format(currencies)} only`;
  return `${currencies.length} currencies, such as ${LISTS.format(COMMON.filter((code) => currencies.includes(code)))}`;
}

/** Which countries a kind reaches, in a few words. */
export function countriesInWords(kind: PayoutKind): string {
  const { countries, exceptCountries } = PAYOUT_REACH[kind];
  if (kind === 'iban') return 'Europe: the SEPA area';
  if (countries) return `${countryName(countries[0] ?? '')} and its territories`;
  return exceptCountries.length > 0 ? 'most countries' : 'any country';
}

/** The same in full: every currency, and every country that is reached, or that is not. Null where nothing is left to say. */
export function reachInFull(kind: PayoutKind): { currencies: string; countries: string } | null {
  const { currencies, countries, exceptCountries, onlyIn } = PAYOUT_REACH[kind];
  if (!currencies) return null;
  const bound = Object.entries(onlyIn).map(([code, country]) => `${code} only in ${countryName(country)}`);
  const named = (codes: readonly string[]) => codes.map(countryName).toSorted().join(', ');
  return {
    currencies: [currencies.join(', '), ...bound].join('; '),
    countries: countries ? named(countries) : `All countries but ${named(exceptCountries)}`,
  };
}
