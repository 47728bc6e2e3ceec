import type { Choice } from './field.tsx';

/** Ways to pay partners, in the words of people. */
export const COMMISSION_CHOICES: readonly Choice[] = [
  ['percent', 'A share of the first payment'],
  ['recurring_percent', 'A share of every payment'],
  ['fixed', 'A fixed amount for the first payment'],
  ['recurring_fixed', 'A fixed amount for every payment'],
];
