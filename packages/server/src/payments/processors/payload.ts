// An event has the shape of the API version that the sender chose, so no field is sure to be there.

/** The field of a value that may not be an object. */
export function at(value: unknown, name: string): unknown {
  return record(value)?.[name];
}

export function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

export function present(values: (string | null)[]): string[] {
  return values.filter((value) => value !== null);
}
