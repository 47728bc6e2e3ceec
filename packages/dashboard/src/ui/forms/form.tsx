import type { FormEvent, ReactNode } from 'react';
import { Notice } from '../feedback/notice.tsx';

type FormProps = {
  onSubmit: (values: Record<string, string>, form: HTMLFormElement) => void;
  error?: Error | null;
  children: ReactNode;
  className?: string;
  label?: string;
};

/** A form whose values arrive by their names; what the service refuses is said below its buttons. */
export function Form({ onSubmit, error, children, className = 'space-y-4', label }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)] as const);
    onSubmit(Object.fromEntries(entries), event.currentTarget);
  };
  return (
    <form onSubmit={submit} className={className} aria-label={label}>
      {children}
      <div role="alert" className="empty:hidden">
        {error && <Notice tone="bad">{error.message}</Notice>}
      </div>
    </form>
  );
}
