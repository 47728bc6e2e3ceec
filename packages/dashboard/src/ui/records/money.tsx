import { formatMoney } from '../../rules/money.ts';

/** An amount in its own currency. */
export function Money({ cents, currency }: { cents: number; currency: string }) {
  return (
    <span className={`whitespace-nowrap tabular-nums ${cents < 0 ? 'text-bad' : ''}`}>
      {formatMoney(cents, currency)}
    </span>
  );
}
