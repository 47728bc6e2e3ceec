import { type ComponentProps, type ReactNode, useId } from 'react';
import { useFieldError } from './field-error.ts';

const INPUT =
  'w-full rounded-lg border border-edge bg-card px-3 text-sm text-ink placeholder:text-quiet disabled:opacity-60';

type FieldProps = { label: string; hint?: ReactNode; isLabelHidden?: boolean };
type ControlProps = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

/** The label, hint and error of a control, linked to it; `children` renders the control. */
function Field({
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
        <p id={`${id}-hint`} className="mt-1.5 text-[0.8125rem] text-quiet">
          {hint}
        </p>
      )}
      <div role="alert" className="empty:hidden">
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-[0.8125rem] text-bad">
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
      {(control) => <input {...control} {...input} className={`${INPUT} h-10 ${className}`} />}
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
      {(control) => <textarea {...control} {...area} className={`${INPUT} py-2 ${className}`} />}
    </Field>
  );
}

export type Option<Value extends string = string> = readonly [value: Value, label: string];

type SelectProps<Value extends string> = FieldProps &
  Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
    options: readonly Option<Value>[];
    value?: Value;
    onValueChange?: (value: Value) => void;
  };

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, isLabelHidden, className = '', options, onValueChange, ...select } = props;
  const change = (text: string) => {
    const option = options.find(([value]) => value === text);
    if (option) onValueChange?.(option[0]);
  };
  return (
    <Field {...{ label, hint, isLabelHidden }} name={select.name}>
      {(control) => (
        <select
          {...control}
          {...select}
          {...(onValueChange && { onChange: (event) => change(event.target.value) })}
          className={`${INPUT} h-10 ${className}`}
        >
          {options.map(([value, optionLabel]) => (
            <option key={value} value={value}>
              {optionLabel}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
