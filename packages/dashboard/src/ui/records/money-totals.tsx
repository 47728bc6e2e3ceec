import { formatMoney } from '../../rules/money.ts';
import { Money } from './money.tsx';

/** Sums in several currencies, one below the other. They are never added. */
export function MoneyTotals<Sum extends { currency: string }>({
  totals,
  amountOf,
}: {
  totals: readonly Sum[] | undefined;
  amountOf: (sum: Sum) => number;
}) {
  if (!totals) return null;
  return totals.map((sum) => (
    <div key={sum.currency}>
      <Money cents={amountOf(sum)} currency={sum.currency} />
    </div>
  ));
}

/** Sums in several currencies as text: “€20.00 and $5.00”. */
export function moneyText(sums: readonly { currency: string; cents: number }[]): string {
  return new Intl.ListFormat('en').format(sums.map(({ cents, currency }) => formatMoney(cents, currency)));
}
