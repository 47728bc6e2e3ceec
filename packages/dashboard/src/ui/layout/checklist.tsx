import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { TitledCard } from './card.tsx';

type ChecklistStep = {
  title: string;
  isDone: boolean;
  /** Leads to where it is done. */
  action: ReactNode;
};

type ChecklistProps = { title: string; steps: readonly ChecklistStep[] };

/** What a newcomer still has to do. It is gone once everything is done. */
export function Checklist({ title, steps }: ChecklistProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <TitledCard
      title={title}
      action={
        <span className="flex items-center gap-3 text-sm text-quiet tabular-nums">
          <progress aria-label={title} value={done} max={steps.length} className="h-1.5 w-24" />
          {done} of {steps.length} done
        </span>
      }
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <li key={step.title} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 py-2 text-sm">
            <span
              aria-hidden
              className={`grid size-5 shrink-0 place-items-center rounded-full border ${step.isDone ? 'border-good bg-good-soft text-good' : 'border-edge'}`}
            >
              {step.isDone && <Check size={13} />}
            </span>
            <span className={`min-w-0 flex-1 ${step.isDone ? 'text-quiet' : step === next ? 'font-medium' : ''}`}>
              {step.title}
              {step.isDone && <span className="sr-only"> (done)</span>}
            </span>
            {!step.isDone && step.action}
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}
