import type { FormEvent, ReactNode } from 'react';
import { ErrorNotice } from '../feedback/notice.tsx';

type FormProps = {
  onSubmit: (values: Record<string, string>, form: HTMLFormElement) => void;
  error?: Error | null;
  children: ReactNode;
  className?: string;
  label?: string;
};

/** A form that passes its values by field name and shows the server’s error below its buttons. */
export function Form({ onSubmit, error, children, className = 'space-y-4', label }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)] as const);
    onSubmit(Object.fromEntries(entries), event.currentTarget);
  };
  return (
    <form onSubmit={submit} className={className} aria-label={label}>
      {children}
      <ErrorNotice error={error} />
    </form>
  );
}
