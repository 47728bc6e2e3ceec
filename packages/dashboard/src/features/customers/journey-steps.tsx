import { BadgeDollarSign, type LucideIcon, MousePointerClick, Receipt, Undo2, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Data } from '../../api/client.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { Money } from '../../ui/records/money.tsx';
import { Time } from '../../ui/records/time.tsx';

export type Journey = Data<'manageCustomer'>;
type Step = Journey['journey'][number];

const KINDS: Record<Step['type'], [title: string, icon: LucideIcon, colour: string]> = {
  click: ['Followed a link', MousePointerClick, 'bg-sunken text-quiet'],
  lead: ['Signed up', UserPlus, 'bg-accent-soft text-accent'],
  sale: ['Bought', Receipt, 'bg-good-soft text-good'],
  refund: ['Got money back', Undo2, 'bg-bad-soft text-bad'],
  commission: ['Commission', BadgeDollarSign, 'bg-warn-soft text-warn'],
};
const REFUSED = { lead: 'Signup not taken', sale: 'Sale not taken', refund: 'Refund not taken' };

/** What happened, oldest first. */
export function JourneySteps({ steps }: { steps: Step[] }) {
  return (
    <ol>
      {steps.map((step, index) => (
        <li key={`${step.type} ${step.id}`} className="relative flex gap-4 pb-6 last:pb-0">
          {index < steps.length - 1 && (
            <span aria-hidden className="absolute top-9 bottom-0 left-[1.0625rem] w-px bg-line" />
          )}
          <StepIcon step={step} />
          <div className="min-w-0 flex-1 pt-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
              <h3 className="text-sm font-semibold">{titleOf(step)}</h3>
              <span className="text-[0.8125rem] text-quiet">
                <Time at={step.at} />
              </span>
            </div>
            <StepFacts step={step} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function StepIcon({ step }: { step: Step }) {
  const [, Icon, colour] = KINDS[step.type];
  return (
    <span aria-hidden className={`grid size-[2.125rem] shrink-0 place-items-center rounded-full ${colour}`}>
      <Icon size={16} />
    </span>
  );
}

function titleOf(step: Step): string {
  const isRefused = step.outcome === 'refused' && step.type in REFUSED;
  return isRefused ? REFUSED[step.type as keyof typeof REFUSED] : KINDS[step.type][0];
}

function StepFacts({ step }: { step: Step }) {
  const facts: ReactNode[] = [];
  if (step.amount_cents !== null && step.currency) {
    facts.push(<Money key="amount" cents={step.amount_cents} currency={step.currency} />);
  }
  if (step.deducted_cents && step.currency) {
    facts.push(
      <span key="deducted" className="text-bad">
        <Money cents={-step.deducted_cents} currency={step.currency} /> taken back
      </span>,
    );
  }
  if (step.type === 'commission' && step.status) facts.push(<StateBadge key="status" state={step.status} />);
  if (step.short_link)
    facts.push(
      <code key="link" className="font-mono text-[0.8125rem]">
        {step.short_link}
      </code>,
    );
  if (step.partner_name && (step.type === 'click' || step.type === 'commission'))
    facts.push(`for ${step.partner_name}`);
  if (step.transaction_id)
    facts.push(
      <code key="transaction" className="font-mono text-[0.8125rem] break-all">
        {step.transaction_id}
      </code>,
    );
  return (
    <>
      {facts.length > 0 && (
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a step never change places
            <span key={index}>{fact}</span>
          ))}
        </p>
      )}
      {step.page_url && <p className="mt-0.5 truncate text-[0.8125rem] text-quiet">{step.page_url}</p>}
      {step.sentence && <p className="mt-0.5 text-sm text-quiet">{step.sentence}</p>}
    </>
  );
}
