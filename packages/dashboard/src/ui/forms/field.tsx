import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFieldError } from './field-error.ts';

/** The look of everything that is typed into or chosen from. */
export const CONTROL =
  'w-full rounded-lg border border-edge bg-card px-3 text-sm text-ellipsis text-ink placeholder:text-quiet disabled:opacity-60';

export type FieldProps = { label: string; hint?: ReactNode; isLabelHidden?: boolean };
type ControlProps = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

/** The label, hint and error of a control, linked to it; `children` renders the control. */
export function Field({
  label,
  hint,
  isLabelHidden,
  name,
  children,
}: FieldProps & { name: string | undefined; children: (props: ControlProps) => ReactNode }) {
  const id = useId();
  const error = useFieldError(name);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-caption text-quiet">
          {hint}
        </p>
      )}
      <div role="alert" className="empty:hidden">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-caption text-bad">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

export function TextField({
  label,
  hint,
  isLabelHidden,
  className = '',
  ...input
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, isLabelHidden }} name={input.name}>
      {(control) => <input {...control} {...input} className={`${CONTROL} h-10 ${className}`} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  isLabelHidden,
  className = '',
  ...area
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, isLabelHidden }} name={area.name}>
      {(control) => <textarea {...control} {...area} className={`${CONTROL} py-2 ${className}`} />}
    </Field>
  );
}

/** A value of a select or a combobox, and how it is shown. */
export type Option<Value extends string = string> = readonly [value: Value, label: string];
