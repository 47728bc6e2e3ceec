import { BadgeDollarSign, type LucideIcon, MousePointerClick, Receipt, Undo2, UserCheck, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Data } from '../../api/client.ts';
import { type FoldedStep, foldSteps } from '../../rules/journey.ts';
import { formatCount } from '../../rules/money.ts';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Money } from '../../ui/records/money.tsx';
import { Time } from '../../ui/records/time.tsx';

export type Journey = Data<'manageCustomer'>;
type Step = Journey['journey'][number];
type StepType = { title: string; rejectedTitle: string; icon: LucideIcon; color: string };

const STEP_TYPES: Record<Step['type'], StepType> = {
  click: {
    title: 'Clicked a link',
    rejectedTitle: 'Click rejected',
    icon: MousePointerClick,
    color: 'bg-sunken text-quiet',
  },
  lead: { title: 'Signed up', rejectedTitle: 'Signup rejected', icon: UserPlus, color: 'bg-accent-soft text-accent' },
  sale: { title: 'Purchased', rejectedTitle: 'Sale rejected', icon: Receipt, color: 'bg-good-soft text-good' },
  refund: { title: 'Refunded', rejectedTitle: 'Refund rejected', icon: Undo2, color: 'bg-bad-soft text-bad' },
  commission: {
    title: 'Commission',
    rejectedTitle: 'Commission rejected',
    icon: BadgeDollarSign,
    color: 'bg-warn-soft text-warn',
  },
  assignment: {
    title: 'Assigned to a partner',
    rejectedTitle: 'Assignment rejected',
    icon: UserCheck,
    color: 'bg-accent-soft text-accent',
  },
};

/** The events of a customer, oldest first. Repeated clicks on a link are one entry. */
export function JourneySteps({ steps }: { steps: Step[] }) {
  const folded = foldSteps(steps);
  return (
    <ol>
      {folded.map(({ step, count, until }, index) => (
        <li key={`${step.type} ${step.id}`} className="relative flex gap-4 pb-6 last:pb-0">
          {index < folded.length - 1 && (
            <span aria-hidden className="absolute top-9 bottom-0 left-[1.0625rem] w-px bg-line" />
          )}
          <StepIcon type={step.type} />
          <div className="min-w-0 flex-1 pt-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
              <h3 className="text-sm font-semibold">{titleOf({ step, count })}</h3>
              <span className="text-caption text-quiet">
                <Time at={step.at} />
                {until !== step.at && (
                  <>
                    {' – '}
                    <Time at={until} />
                  </>
                )}
              </span>
            </div>
            <StepDetails step={step} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function StepIcon({ type }: { type: Step['type'] }) {
  const { icon: Icon, color } = STEP_TYPES[type];
  return (
    <span aria-hidden className={`grid size-[2.125rem] shrink-0 place-items-center rounded-full ${color}`}>
      <Icon size={16} />
    </span>
  );
}

function titleOf({ step: { type, outcome }, count }: Pick<FoldedStep<Step>, 'step' | 'count'>): string {
  const { title, rejectedTitle } = STEP_TYPES[type];
  if (count > 1) return `${title} ${formatCount(count)} times`;
  return outcome === 'refused' ? rejectedTitle : title;
}

function StepDetails({ step }: { step: Step }) {
  const details = detailsOf(step);
  return (
    <>
      {details.length > 0 && (
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {details.map((detail, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the details of a step never change their order
            <span key={index}>{detail}</span>
          ))}
        </p>
      )}
      {step.page_url && <p className="mt-0.5 truncate text-caption text-quiet">{step.page_url}</p>}
      {step.sentence && <p className="mt-0.5 text-sm text-quiet">{step.sentence}</p>}
    </>
  );
}

function detailsOf(step: Step): ReactNode[] {
  const { type, amount_cents: amount, deducted_cents: deducted, currency } = step;
  const details: ReactNode[] = [];
  if (amount !== null && currency) details.push(<Money key="amount" cents={amount} currency={currency} />);
  if (deducted && currency) {
    details.push(
      <span key="deducted" className="text-bad">
        <Money cents={deducted} currency={currency} /> reversed
      </span>,
    );
  }
  if (type === 'commission' && step.status) details.push(<StatusBadge key="status" status={step.status} />);
  if (step.short_link) details.push(<Identifier key="link">{step.short_link}</Identifier>);
  if (step.partner_name && (type === 'click' || type === 'commission')) details.push(`for ${step.partner_name}`);
  if (step.transaction_id) details.push(<Identifier key="transaction">{step.transaction_id}</Identifier>);
  return details;
}
