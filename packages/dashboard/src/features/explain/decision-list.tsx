import type { Row } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { Time } from '../../ui/records/time.tsx';

type Decision = Row<'manageExplain'>;

const TONES: Record<string, Tone> = {
  recorded: 'good',
  attributed: 'good',
  refused: 'bad',
  failed: 'bad',
  ignored: 'warn',
};
const KINDS: Record<Decision['kind'], string> = {
  lead: 'Signup',
  sale: 'Sale',
  refund: 'Refund',
  commission: 'Commission',
};

/** Decisions, oldest first; the facts they rest on open on demand. */
export function DecisionList({ decisions }: { decisions: Decision[] }) {
  return (
    <ol className="divide-y divide-line">
      {decisions.map((decision) => (
        <li key={decision.id} className="px-5 py-4">
          <div className="mb-1 flex flex-wrap items-center gap-2 text-sm">
            <h2 className="font-semibold">{KINDS[decision.kind]}</h2>
            <Badge tone={TONES[decision.outcome] ?? 'neutral'}>{decision.outcome.replaceAll('_', ' ')}</Badge>
            {decision.is_test && <Badge>test</Badge>}
            <span className="ml-auto text-[0.8125rem] text-quiet">
              <Time at={decision.created_at} />
            </span>
          </div>
          <p>{decision.sentence}</p>
          <details className="mt-2 text-sm">
            <summary className="w-fit text-quiet hover:text-ink">Facts</summary>
            <div className="mt-3">
              <Details rows={factsOf(decision)} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

function factsOf(decision: Decision): [string, string][] {
  const named: [string, unknown][] = [
    ['Reason', decision.reason],
    ['Came from', decision.source],
    ['Transaction', decision.transaction_id],
    ['Customer key', decision.customer_key],
    ['Click id', decision.click_id],
    ['Request id', decision.request_id],
    ...Object.entries(decision.facts),
  ];
  return named
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [
      name.replaceAll('_', ' '),
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
}
