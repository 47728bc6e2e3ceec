/** The code as codes are compared: upper and lower case, and the ways to write an accent, are the same. */
export function couponKey(code: string): string {
  return code.trim().normalize('NFKC').toLowerCase();
}
