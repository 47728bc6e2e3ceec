/** What sales must come to. Written from the rules alone: it shares no code with the service and reads no database. */

export type Terms = { type: 'percent'; tenThousandths: bigint } | { type: 'fixed'; cents: bigint };

/** A refund under the shop's own id. */
export type Refund = { id: string; cents: number };

export type Sale = {
  id: string;
  programId: number;
  terms: Terms;
  cents: number;
  /** What the shop refunded, in the order of the acknowledgements. */
  refunds: Refund[];
  /** The total that the payment processor refunded; it may be the same money. Null: not paid through it. */
  processorRefunded: number | null;
};

/** A signup under the shop's own key, and the click that it came from. */
export type Lead = { programId: number; customerKey: string; clickId: string };

export type Amounts = { refunded: number; reported: number; commission: number; deducted: number };

export const refundedBy = ({ refunds }: Sale) => refunds.reduce((total, { cents }) => total + cents, 0);

/** What the shop can still refund. */
export const restOf = (sale: Sale) => sale.cents - refundedBy(sale);

export function expectedAmounts(sale: Sale): Amounts {
  const reported = refundedBy(sale);
  const refunded = Math.max(reported, sale.processorRefunded ?? 0);
  const commission = commissionOf(sale);
  return { refunded, reported, commission, deducted: deductionOf(sale, refunded) };
}

/** The share of the commission that is lost once this much of the sale is refunded. */
export function deductionOf(sale: Sale, refunded: number): number {
  return halfUp(BigInt(commissionOf(sale)) * BigInt(refunded), BigInt(sale.cents));
}

function commissionOf({ terms, cents }: Sale): number {
  return terms.type === 'fixed' ? Number(terms.cents) : halfUp(BigInt(cents) * terms.tenThousandths, 100n * 10_000n);
}

function halfUp(numerator: bigint, denominator: bigint): number {
  const whole = numerator / denominator;
  return Number(2n * (numerator - whole * denominator) >= denominator ? whole + 1n : whole);
}
