import type { SvcOptions, SvcWarning } from './options.ts';
import type { Event, Outcome } from './outcome.ts';
import type { SvcError } from './svc-error.ts';

/** Tells the options' callbacks, or the console, what a caller does not see. A callback that throws harms nobody. */
export function createReporter({ onWarning, onFailure, onOutcome }: SvcOptions) {
  const known = new Set<string>();

  function warnOnce(warning: SvcWarning): void {
    const deadline = `${warning.code} ${warning.rotate_by}`;
    if (known.has(deadline)) return;
    known.add(deadline);
    if (onWarning) onWarning(warning);
    else console.warn(`svc: ${[warning.message, warning.hint].filter(Boolean).join(' ')}`);
  }

  return {
    warnings(body: unknown): void {
      const { warnings } = (body ?? {}) as { warnings?: SvcWarning[] };
      if (Array.isArray(warnings)) safely(() => warnings.forEach(warnOnce));
    },
    failure(error: SvcError, event: Event): void {
      safely(() => {
        if (onFailure) onFailure(error, event);
        else console.error(`svc: ${event} was not recorded: ${error.message} (${error.code})`);
      });
    },
    outcome(outcome: Outcome<unknown>, event: Event): void {
      safely(() => onOutcome?.(outcome, event));
    },
  };
}

function safely(run: () => void): void {
  try {
    run();
  } catch (error) {
    console.error('svc: a callback failed:', error);
  }
}
