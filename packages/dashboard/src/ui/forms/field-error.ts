import { createContext, useContext } from 'react';

type FieldError = { field: string; message: string };

/** What the server says about a field of the form around it. */
export const FieldErrorContext = createContext<FieldError | null>(null);

/** The error of the field with this name. */
export function useFieldError(name: string | undefined): string | undefined {
  const error = useContext(FieldErrorContext);
  return error && error.field === name ? error.message : undefined;
}
