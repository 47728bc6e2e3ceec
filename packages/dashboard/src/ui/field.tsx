import { type ComponentProps, type ReactNode, useId } from 'react';

const INPUT =
  'w-full rounded-lg border border-edge bg-card px-3 text-sm text-ink placeholder:text-quiet disabled:opacity-60 ' +
  'aria-invalid:border-bad';

type Frame = { label: string; hint?: ReactNode; error?: string | null; isLabelHidden?: boolean };

function FieldFrame({ id, label, hint, error, isLabelHidden, children }: Frame & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-[0.8125rem] text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, { hint, error }: Frame): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

export function TextField({
  label,
  hint,
  error,
  isLabelHidden,
  className = '',
  ...rest
}: Frame & ComponentProps<'input'>) {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, error, isLabelHidden }}>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { label, hint, error })}
        className={`${INPUT} h-10 ${className}`}
        {...rest}
      />
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  isLabelHidden,
  className = '',
  ...rest
}: Frame & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, error, isLabelHidden }}>
      <textarea
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { label, hint, error })}
        className={`${INPUT} py-2 ${className}`}
        {...rest}
      />
    </FieldFrame>
  );
}

export type Choice = readonly [value: string, words: string];

export function SelectField({
  label,
  hint,
  error,
  isLabelHidden,
  choices,
  className = '',
  ...rest
}: Frame & ComponentProps<'select'> & { choices: readonly Choice[] }) {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, error, isLabelHidden }}>
      <select
        id={id}
        aria-describedby={describedBy(id, { label, hint })}
        className={`${INPUT} h-10 ${className}`}
        {...rest}
      >
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
