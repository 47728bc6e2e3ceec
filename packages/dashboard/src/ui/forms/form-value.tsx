type FormValueProps = {
  name: string | undefined;
  value: string;
  required?: boolean;
  /** Moves the focus to the control that is seen. */
  onFocus: () => void;
};

/**
 * The value of a control that is not an input, for the form around it. It lies invisibly below the control, so that the browser
 * can point at it when a required value is missing.
 */
export function FormValue({ name, value, required, onFocus }: FormValueProps) {
  if (!name) return null;
  return (
    <input
      name={name}
      value={value}
      required={required}
      onChange={() => undefined}
      onFocus={onFocus}
      tabIndex={-1}
      aria-hidden
      className="pointer-events-none absolute inset-0 -z-10 size-full opacity-0"
    />
  );
}
