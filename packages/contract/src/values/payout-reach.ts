/** The ways to be paid that a partner can choose. */
export const PAYOUT_KINDS = ['paypal', 'wise', 'iban', 'us_bank', 'other'] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];

/** What people call the kinds. */
export const PAYOUT_KIND_NAMES: Record<PayoutKind, string> = {
  paypal: 'PayPal',
  wise: 'Wise',
  iban: 'Bank account (IBAN)',
  us_bank: 'US bank account',
  other: 'Something else',
};

/** What a kind can pay. Null means all. */
export type PayoutReach = {
  currencies: readonly string[] | null;
  countries: readonly string[] | null;
  /** Countries that are not reached although `countries` has them. */
  exceptCountries: readonly string[];
  /** Currencies that only accounts in one country can hold. */
  onlyIn: Readonly<Record<string, string>>;
};

const words = (list: string): readonly string[] => list.split(' ');
const everywhere = { currencies: null, countries: null, exceptCountries: [], onlyIn: {} };

/**
 * The geographical scope of the SEPA schemes: 41 countries since Serbia joined in May 2025, then the territories that have a
 * country code of their own. Their accounts have the IBAN of their state, apart from Gibraltar's.
 */
export const SEPA_COUNTRIES = words(
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA ' +
    'AX BL GF GG GI GP IM JE MF MQ PM RE YT',
);

/** As the providers published it in November 2026. What they add later is paid once it is listed here. */
export const PAYOUT_REACH: Readonly<Record<PayoutKind, PayoutReach>> = {
  paypal: {
    ...everywhere,
    currencies: words(
      'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF IDR ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD',
    ),
    exceptCountries: words('AF BD CU GH HT IQ IR KP LB LR LY MM PK RU SD SS SY TR UZ'),
    onlyIn: { BRL: 'BR', MYR: 'MY' },
  },
  wise: {
    ...everywhere,
    // Not CNY, which Wise pays to Alipay accounts and not by email.
    currencies: words(
      'AED AUD BDT BRL CAD CHF CLP COP CRC CZK DKK EGP EUR GBP GEL HKD HUF IDR ILS INR JPY KES KRW LKR MAD MXN MYR NOK NPR NZD ' +
        'PHP PKR PLN RON SEK SGD THB TRY TZS UAH UGX USD UYU VND ZAR',
    ),
    exceptCountries: words('AF BI BY CD CF CG CU ER IQ IR KP LY MM RU SD SO SS SY TD VE YE'),
  },
  iban: { ...everywhere, currencies: ['EUR'], countries: SEPA_COUNTRIES },
  us_bank: { ...everywhere, currencies: ['USD'], countries: words('US AS GU MP PR VI') },
  other: everywhere,
};

export type ReachProblem = 'currency_not_payable' | 'country_not_payable';

/** Why a kind cannot pay a currency to a country, or null if it can. The country of an IBAN is the one that it begins with. */
export function reaches(kind: PayoutKind, currency: string, country: string): ReachProblem | null {
  const { currencies, countries, exceptCountries, onlyIn } = PAYOUT_REACH[kind];
  if (currencies && !currencies.includes(currency)) return 'currency_not_payable';
  if (countries && !countries.includes(country)) return 'country_not_payable';
  if (exceptCountries.includes(country) || (onlyIn[currency] ?? country) !== country) return 'country_not_payable';
  return null;
}
