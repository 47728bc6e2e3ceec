/** The value of a command-line flag. */
export function wholeNumber(flag: string, text: string, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > max) {
    throw new Error(`${flag} must be a whole number from 1 to ${max}`);
  }
  return number;
}
