import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Row } from '../../api/client.ts';
import { usePartnerName } from '../../api/program.ts';
import { factsInWords, sourceInWords } from '../../rules/decision-facts.ts';
import { labelOf } from '../../rules/label.ts';
import { Badge, type Tone } from '../../ui/feedback/badge.tsx';
import { Details } from '../../ui/layout/details.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { Identifier } from '../../ui/records/identifier.tsx';
import { CustomerLink } from '../../ui/records/record-links.tsx';
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
  assignment: 'Assignment',
};

/** Decisions, oldest first, each with the facts it was made on and links to whom it was about. */
export function DecisionList({ decisions }: { decisions: Decision[] }) {
  const programId = useProgramId();
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
          {decision.attribution && <p className="mt-0.5 text-sm text-quiet">{decision.attribution}</p>}
          <RecordLinks decision={decision} programId={programId} />
          <details className="mt-2 text-sm">
            <summary className="w-fit text-quiet hover:text-ink">Details</summary>
            <div className="mt-3">
              <Details
                rows={[...factsInWords(decision, saleOf(decision, decisions)?.facts), ...identifiersOf(decision)]}
              />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

/** The decision that recorded the sale of this one. */
const saleOf = ({ sale_id: id }: Decision, decisions: Decision[]): Decision | undefined =>
  decisions.find((other) => other.sale_id === id && other.kind === 'sale' && other.outcome === 'recorded');

function OutcomeBadge({ outcome }: { outcome: string }) {
  const [tone, label] = OUTCOMES[outcome] ?? ['neutral', labelOf(outcome)];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Partners who are among the facts of a decision. */
const NAMED_PARTNERS = {
  would_credit_partner_id: 'Would be credited',
  coupon_loser_id: 'Not credited',
  override_partner_id: 'Recruiter',
} as const;

/** Every partner whom a decision names, with their part in it. */
function partnersOf({ partner_id: partnerId, facts }: Decision): [label: string, partnerId: number][] {
  const named = Object.entries(NAMED_PARTNERS).map(([fact, label]) => [label, facts[fact]] as const);
  return [['Partner', partnerId] as const, ...named].flatMap(([label, id]) =>
    typeof id === 'number' ? [[label, id] as [string, number]] : [],
  );
}

/** Whom and what it was about, each a page of its own. */
function RecordLinks({ decision, programId }: { decision: Decision; programId: number }) {
  const { customer_id: customerId, sale_id: saleId, transaction_id: transactionId } = decision;
  const partners = partnersOf(decision);
  const link = 'text-accent underline';
  if (customerId === null && partners.length === 0 && saleId === null) return null;
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {customerId !== null && (
        <CustomerLink programId={programId} customerId={customerId} label="Customer" className={link} />
      )}
      {partners.map(([label, partnerId]) => (
        <PartnerLink key={label} label={label} programId={programId} partnerId={partnerId} className={link} />
      ))}
      {saleId !== null && transactionId && !decision.is_test && (
        <Link
          to="/app/programs/$programId/commissions"
          params={{ programId }}
          search={{ q: transactionId }}
          className={link}
        >
          Commission
        </Link>
      )}
    </p>
  );
}

type PartnerLinkProps = { label: string; programId: number; partnerId: number; className: string };

function PartnerLink({ label, programId, partnerId, className }: PartnerLinkProps) {
  const name = usePartnerName(programId, String(partnerId));
  return (
    <Link
      to="/app/programs/$programId/partners/$partnerId"
      params={{ programId, partnerId: String(partnerId) }}
      className={className}
    >
      {name ? `${label}: ${name}` : label}
    </Link>
  );
}

/** What support asks for: ids as they were sent, and the code of the reason. */
function identifiersOf(decision: Decision): [string, ReactNode][] {
  const identifiers: [string, string | null][] = [
    ['Transaction ID', decision.transaction_id],
    ['Customer key', decision.customer_key],
    ['Click ID', decision.click_id],
    ['Request ID', decision.request_id],
    ['Reason code', decision.reason],
  ];
  const known = identifiers.filter((entry): entry is [string, string] => entry[1] !== null);
  return [
    ['Source', sourceInWords(decision.source)],
    ...known.map(([label, value]): [string, ReactNode] => [label, <Identifier key={label}>{value}</Identifier>]),
  ];
}
