import { describeLineTerms } from '@svc/contract';
import type { Data } from '../../api/client.ts';
import { Money } from '../../ui/records/money.tsx';
import { DateOnly } from '../../ui/records/time.tsx';

export type PayoutLine = Data<'managePayout'>['lines'][number];
type FactsProps = { line: PayoutLine; currency: string };

/** Where the amount of a line comes from, as the statement says it. */
export function PayoutLineFacts({ line, currency }: FactsProps) {
  const terms = describeLineTerms(line);
  return (
    <div className="text-caption text-quiet">
      <SaleFacts line={line} />
      {terms && <div>{terms}</div>}
      <AmountFacts line={line} currency={currency} />
    </div>
  );
}

/** The sale, and what the commission on it was computed from. */
function SaleFacts({ line }: { line: PayoutLine }) {
  const { sale_cents: cents, sale_currency: currency, sale_at: at, base_cents: base } = line;
  if (cents === null || currency === null) return null;
  return (
    <div>
      Sold for <Money cents={cents} currency={currency} />
      {at && (
        <>
          {' on '}
          <DateOnly at={at} />
        </>
      )}
      {base !== null && (
        <>
          , base <Money cents={base} currency={currency} />
        </>
      )}
    </div>
  );
}

/** How the amount comes about, where it is not the whole commission. */
function AmountFacts({ line, currency }: FactsProps) {
  const { commission_cents: cents, deducted_cents: deducted, earlier_cents: earlier, refunded_at: refundedAt } = line;
  if (deducted === 0 && earlier === 0) return null;
  return (
    <div>
      Commission <Money cents={cents} currency={currency} />
      {deducted !== 0 && (
        <>
          , less <Money cents={deducted} currency={currency} /> for refunds
          {refundedAt && (
            <>
              {' until '}
              <DateOnly at={refundedAt} />
            </>
          )}
        </>
      )}
      {earlier !== 0 && (
        <>
          , less <Money cents={earlier} currency={currency} /> in earlier payouts
        </>
      )}
    </div>
  );
}
