/** A code of the API as a label: `partially_refunded` becomes `Partially refunded`. */
export function labelOf(code: string): string {
  const words = code.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
