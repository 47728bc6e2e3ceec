/** A code of the API as a label: `partially_refunded` becomes `Partially refunded`. */
export function labelOf(code: string): string {
  return capitalize(code.replaceAll('_', ' '));
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
