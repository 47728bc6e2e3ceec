/** What sales must come to. Written from the rules alone: it shares no code with the service and reads no database. */

export type Terms = { type: 'percent'; tenThousandths: bigint } | { type: 'fixed'; cents: bigint };

export type Sale = {
  id: string;
  programId: number;
  terms: Terms;
  cents: number;
  /** What the shop refunded, in the order of the acknowledgements. */
  refunds: number[];
  /** The total that the payment processor refunded; it may be the same money. Null: not paid through it. */
  processorRefunded: number | null;
};

export type Amounts = { refunded: number; reported: number; commission: number; deducted: number };

/** What the shop can still refund. */
export const restOf = ({ cents, refunds }: Sale) => cents - sum(refunds);

export function expectedAmounts(sale: Sale): Amounts {
  const reported = sum(sale.refunds);
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

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
