import type { Row } from '../../api/client.ts';
import { labelOf } from '../../rules/label.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { Time } from '../../ui/records/time.tsx';

type Decision = Row<'manageExplain'>;

const OUTCOMES: Record<string, [Tone, string] | undefined> = {
  recorded: ['good', 'Recorded'],
  unchanged: ['neutral', 'Unchanged'],
  not_attributed: ['warn', 'Not attributed'],
  refused: ['bad', 'Rejected'],
  failed: ['bad', 'Failed'],
};
const KINDS: Record<Decision['kind'], string> = {
  lead: 'Signup',
  sale: 'Sale',
  refund: 'Refund',
  commission: 'Commission',
};

/** Decisions, oldest first, each with its details on demand. */
export function DecisionList({ decisions }: { decisions: Decision[] }) {
  return (
    <ol className="divide-y divide-line">
      {decisions.map((decision) => (
        <li key={decision.id} className="px-5 py-4">
          <div className="mb-1 flex flex-wrap items-center gap-2 text-sm">
            <h2 className="font-semibold">{KINDS[decision.kind]}</h2>
            <OutcomeBadge outcome={decision.outcome} />
            {decision.is_test && <Badge>Test</Badge>}
            <span className="ml-auto text-caption text-quiet">
              <Time at={decision.created_at} />
            </span>
          </div>
          <p>{decision.sentence}</p>
          {decision.terms && <p className="mt-0.5 text-sm text-quiet">{decision.terms}</p>}
          <details className="mt-2 text-sm">
            <summary className="w-fit text-quiet hover:text-ink">Details</summary>
            <div className="mt-3">
              <Details rows={detailsOf(decision)} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

function OutcomeBadge({ outcome }: { outcome: string }) {
  const [tone, label] = OUTCOMES[outcome] ?? ['neutral', labelOf(outcome)];
  return <Badge tone={tone}>{label}</Badge>;
}

function detailsOf(decision: Decision): [string, string][] {
  const details: [string, unknown][] = [
    ['Reason', decision.reason],
    ['Source', decision.source],
    ['Transaction ID', decision.transaction_id],
    ['Customer key', decision.customer_key],
    ['Click ID', decision.click_id],
    ['Request ID', decision.request_id],
    ...Object.entries(decision.facts).map(([name, value]): [string, unknown] => [labelOf(name), value]),
  ];
  return details
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([label, value]) => [label, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
}
