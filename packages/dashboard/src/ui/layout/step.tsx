import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

type StepHeadingProps = {
  number: number;
  title: string;
  /** Only for what is known to be done. */
  isDone?: boolean;
};

/** The number and title of a step, with a tick once it is done. */
export function StepHeading({ number, title, isDone = false }: StepHeadingProps) {
  const colors = isDone ? 'bg-good-soft text-good' : 'bg-accent-soft text-accent';
  return (
    <h2 className="flex items-center gap-3 text-base font-semibold">
      <span aria-hidden className={`grid size-7 shrink-0 place-items-center rounded-full text-sm ${colors}`}>
        {isDone ? <Check size={16} /> : number}
      </span>
      {title}
      {isDone && <span className="sr-only">(done)</span>}
    </h2>
  );
}

type StepProps = StepHeadingProps & {
  /** For steps that can be folded: whether this one is folded when the page opens. */
  isFolded?: boolean;
  children: ReactNode;
};

/** One step of a guide, as an item of an ordered list. */
export function Step({ isFolded, children, ...heading }: StepProps) {
  return (
    <li className="rounded-xl border border-line bg-card p-5 shadow-card sm:p-6">
      {isFolded === undefined ? (
        <>
          <div className="mb-3">
            <StepHeading {...heading} />
          </div>
          {children}
        </>
      ) : (
        <details open={!isFolded} className="group">
          <summary className="flex cursor-pointer items-center justify-between gap-3">
            <StepHeading {...heading} />
            <ChevronDown size={18} aria-hidden className="shrink-0 text-quiet group-open:rotate-180" />
          </summary>
          <div className="mt-4 space-y-4">{children}</div>
        </details>
      )}
    </li>
  );
}
