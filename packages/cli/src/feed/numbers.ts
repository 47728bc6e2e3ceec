import { wrongUsage } from '../failure.ts';

/** The number of a flag; undefined if it was not passed. */
export function wholeNumber(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw wrongUsage(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** The sequence that --after names. */
export function sequenceOf(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,15}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw wrongUsage(`--after must be the sequence of an event, such as 1042, not "${text}".`);
}
