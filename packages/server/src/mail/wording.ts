import { moneyInWords } from '@svc/contract';
import type { Amount } from './mail-kind.ts';

/** The indefinite article before a word. */
export const article = (role: string) => (/^[aeiou]/.test(role) ? 'an' : 'a');

/** The amount with its currency, computed from whole cents. */
export function money({ currency, amountCents }: Amount): string {
  return moneyInWords(amountCents, currency);
}

const UTC = { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Creating one takes a hundred times as long as using it. */
const DAY = new Intl.DateTimeFormat('en-GB', UTC);
const MINUTE = new Intl.DateTimeFormat('en-GB', { ...UTC, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export const day = (at: string) => DAY.format(new Date(at));

export const minute = (at: string) => `${MINUTE.format(new Date(at))} UTC`;
