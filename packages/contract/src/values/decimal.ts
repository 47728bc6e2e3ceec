/** An amount with the decimals of its currency, without a symbol: 4900 is `49.00` in USD and `4900` in JPY. */
export function formatDecimal(cents: number, exponent: number): string {
  const digits = String(Math.abs(cents)).padStart(exponent + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - exponent), digits.slice(digits.length - exponent)];
  return `${cents < 0 ? '-' : ''}${whole}${exponent > 0 ? `.${fraction}` : ''}`;
}
