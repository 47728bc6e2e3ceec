/** Active ISO 4217 codes whose smallest unit is not a hundredth. */
const UNUSUAL_EXPONENTS: Record<string, number> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  ...Object.fromEntries('CLF UYW'.split(' ').map((code) => [code, 4])),
};

/** Withdrawn codes in which Stripe still reports payments. */
const WITHDRAWN_CODES = ['ANG', 'STD'];

const CODES = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE ' +
    'CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ ' +
    'GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL ' +
    'LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR ' +
    'PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY ' +
    'TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
  )
    .split(' ')
    .concat(WITHDRAWN_CODES),
);

/** All codes that amounts can be in, by the alphabet. */
export const CURRENCIES: readonly string[] = [...CODES].sort();

export function isCurrency(code: string): boolean {
  return CODES.has(code);
}

/** The number of decimals of a currency: JPY 0, USD 2, KWD 3. */
export function currencyExponent(code: string): number {
  return UNUSUAL_EXPONENTS[code] ?? 2;
}
