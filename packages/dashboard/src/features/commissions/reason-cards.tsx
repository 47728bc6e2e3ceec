import { useId } from 'react';
import { useApiQueries } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import type { REVIEW_REASONS } from '../../rules/statuses.ts';
import { useSearchParams } from '../../ui/layout/search-params.ts';
import { moneyText } from '../../ui/records/money-totals.tsx';
import { sumsOf } from './sums.ts';

type Reason = (typeof REVIEW_REASONS)[number];

/** Why a commission waits for a person, and what to look at. */
const REASONS: [Reason, { title: string; meaning: string }][] = [
  [
    'self_referral',
    {
      title: 'Own purchase',
      meaning:
        'The customer has the partner’s email address. Approve it if your program pays partners for what they buy themselves.',
    },
  ],
  [
    'claimed_key',
    {
      title: 'Claimed customer key',
      meaning:
        'Only a web page says that this customer came from the partner, and nothing on the payment confirms it. Anyone can send that: see how the customer came.',
    },
  ],
  [
    'email_from_page',
    {
      title: 'Email from a web page',
      meaning:
        'The payment was matched by an email address that only a web page reported. Anyone can enter someone else’s: see how the customer came.',
    },
  ],
];

type ReasonCardsProps = {
  programId: number;
  selected: Reason | undefined;
  /** Whether the list is always of one reason. */
  isRequired: boolean;
};

/** The reasons with what waits for each. Selecting one filters the list. */
export function ReasonCards({ programId, selected, isRequired }: ReasonCardsProps) {
  const [, setSearch] = useSearchParams();
  const params = { program_id: programId };
  const counted = { totals: 'true', limit: 1 } as const;
  const waiting = useApiQueries(
    'manageCommissions',
    REASONS.map(([reason]) => ({ params, query: { ...counted, held: 'true' as const, hold_reason: reason } })),
  );
  const rejected = useApiQueries(
    'manageCommissions',
    REASONS.map(([reason]) => ({ params, query: { ...counted, status: 'rejected' as const, hold_reason: reason } })),
  );
  return (
    <fieldset className="mb-6 grid min-w-0 gap-3 lg:grid-cols-3">
      <legend className="sr-only">Reason</legend>
      {REASONS.map(([reason, words], index) => (
        <ReasonCard
          key={reason}
          {...words}
          waiting={waiting[index]?.data?.meta}
          rejected={rejected[index]?.data?.meta.count}
          isSelected={reason === selected}
          onSelect={() => setSearch({ hold_reason: reason === selected && !isRequired ? undefined : reason })}
        />
      ))}
    </fieldset>
  );
}

type ReasonCardProps = {
  title: string;
  meaning: string;
  waiting: { count?: number; totals?: Parameters<typeof sumsOf>[0] } | undefined;
  rejected: number | undefined;
  isSelected: boolean;
  onSelect: () => void;
};

function ReasonCard({ title, meaning, waiting, rejected = 0, isSelected, onSelect }: ReasonCardProps) {
  const id = useId();
  const { count = 0, totals = [] } = waiting ?? {};
  return (
    <div className="relative rounded-xl border border-line bg-card px-4 py-3.5 shadow-card hover:border-edge has-aria-pressed:border-accent has-aria-pressed:ring-1 has-aria-pressed:ring-accent">
      {/* All of the card can be pressed. */}
      <button
        type="button"
        aria-pressed={isSelected}
        aria-describedby={id}
        onClick={onSelect}
        className="w-full text-left after:absolute after:inset-0 after:rounded-xl"
      >
        <span className="block font-semibold">{title}</span>{' '}
        <span className="block min-h-5 text-sm tabular-nums">
          {waiting && describe(count, moneyText(sumsOf(totals)), rejected)}
        </span>
      </button>
      <p id={id} className="mt-1.5 text-caption text-quiet">
        {meaning}
      </p>
    </div>
  );
}

function describe(count: number, sums: string, rejected: number): string {
  const waits = count === 0 ? 'None waiting' : `${countOf(count, 'commissions')}, ${sums}`;
  return rejected === 0 ? waits : `${waits}; ${rejected} rejected`;
}
