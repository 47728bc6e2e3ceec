import { type ComponentProps, type ReactNode, useId } from 'react';

const INPUT =
  'w-full rounded-lg border border-edge bg-card px-3 text-sm text-ink placeholder:text-quiet disabled:opacity-60 ' +
  'aria-invalid:border-bad';

type Frame = { label: string; hint?: ReactNode; error?: string | null; isLabelHidden?: boolean };

type Control = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined };

/** What every control has around it; `children` makes the control itself. */
function Framed({
  label,
  hint,
  error,
  isLabelHidden,
  children,
}: Frame & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
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

/** Tells the frame of a control from what belongs to the control itself. */
function split<Props extends Frame>({ label, hint, error, isLabelHidden, ...own }: Props) {
  return { frame: { label, hint, error, isLabelHidden }, own };
}

export function TextField(props: Frame & ComponentProps<'input'>) {
  const { frame, own } = split(props);
  return (
    <Framed {...frame}>
      {(control) => <input {...control} {...own} className={`${INPUT} h-10 ${own.className ?? ''}`} />}
    </Framed>
  );
}

export function TextArea(props: Frame & ComponentProps<'textarea'>) {
  const { frame, own } = split(props);
  return (
    <Framed {...frame}>
      {(control) => <textarea {...control} {...own} className={`${INPUT} py-2 ${own.className ?? ''}`} />}
    </Framed>
  );
}

export type Choice = readonly [value: string, words: string];

export function SelectField(props: Frame & ComponentProps<'select'> & { choices: readonly Choice[] }) {
  const {
    frame,
    own: { choices, ...own },
  } = split(props);
  return (
    <Framed {...frame}>
      {(control) => (
        <select {...control} {...own} className={`${INPUT} h-10 ${own.className ?? ''}`}>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}
