import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { ErrorNotice } from '../feedback/notice.tsx';
import { FieldErrorContext } from './field-error.ts';
import { useChanges } from './form-changes.ts';
import { LeaveGuard } from './leave-guard.tsx';

export type FormProps = {
  onSubmit: (values: Record<string, string>, form: HTMLFormElement) => void;
  error?: Error | null;
  children: ReactNode;
  className?: string;
  label?: string;
  /** Ask before the page or dialog is left with changes that were not saved. Off where there is nothing to lose. */
  guardsChanges?: boolean;
};

/**
 * A form that passes its values by field name. Fields are named as in the request, so that the server’s error about one of them
 * is shown there; other errors are shown below the buttons. A double click submits it once.
 */
export function Form({ onSubmit, error, children, className = 'space-y-4', label, guardsChanges = true }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<string[]>([]);
  const field = error instanceof ApiError && error.field && names.includes(error.field) ? error.field : null;

  useEffect(() => {
    const control = field && error ? form.current?.elements.namedItem(field) : null;
    if (control instanceof HTMLElement) control.focus();
  }, [field, error]);

  const changes = useChanges(form, error !== null && error !== undefined, guardsChanges);
  const isSubmitted = useRef(false);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSubmitted.current) return;
    isSubmitted.current = true;
    afterNextFrame(() => {
      isSubmitted.current = false;
    });
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)] as const);
    setNames(entries.map(([name]) => name));
    changes.noteSubmission();
    onSubmit(Object.fromEntries(entries), event.currentTarget);
  };
  return (
    // Without an error, the last button ends the form: no distance to what is not there.
    <form
      ref={form}
      onSubmit={submit}
      className={`${className} [&>:has(+[role=alert]:empty)]:mb-0!`}
      aria-label={label}
      {...changes.listeners}
    >
      <FieldErrorContext value={field && error ? { field, message: error.message } : null}>
        {children}
      </FieldErrorContext>
      <ErrorNotice error={field ? null : error} />
      {guardsChanges && <LeaveGuard hasChanges={changes.exist} />}
    </form>
  );
}

/** The button is busy from the next frame on, and takes no clicks then. */
function afterNextFrame(work: () => void): void {
  setTimeout(() => requestAnimationFrame(() => setTimeout(work)));
}
