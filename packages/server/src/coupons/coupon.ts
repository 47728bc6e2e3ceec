/** A code of a partner. Sales with it are credited to the partner without a click. */
export type Coupon = {
  id: number;
  code: string;
  partnerId: number;
  partnerName: string;
  active: boolean;
  createdAt: Date;
};

/** The code as codes are compared: upper and lower case, and the ways to write an accent, are the same. */
export function couponKey(code: string): string {
  return code.trim().normalize('NFKC').toLowerCase();
}
