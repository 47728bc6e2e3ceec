import { formatMoney, mainFirst } from '../../rules/money.ts';
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

type AmountsProps<Sum> = { money: Sum[]; amountOf: (sum: Sum) => number; currency: string };

/** The amount in the currency of the page, and below it those in other currencies. */
export function AmountsByCurrency<Sum extends { currency: string }>({ money, amountOf, currency }: AmountsProps<Sum>) {
  const sums = mainFirst(money, amountOf, currency);
  return sums.length === 0 ? (
    <Money cents={0} currency={currency} />
  ) : (
    <MoneyTotals totals={sums} amountOf={amountOf} />
  );
}

/** Sums in several currencies as text: “€20.00 and $5.00”. */
export function moneyText(sums: readonly { currency: string; cents: number }[]): string {
  return new Intl.ListFormat('en').format(sums.map(({ cents, currency }) => formatMoney(cents, currency)));
}
