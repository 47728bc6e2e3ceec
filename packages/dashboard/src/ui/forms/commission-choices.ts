import { COMMISSION_TYPE_NAMES, COMMISSION_TYPES } from '@svc/contract';
import type { Choice } from './field.tsx';

/** The ways to pay partners. */
export const COMMISSION_CHOICES: readonly Choice[] = COMMISSION_TYPE_NAMES.map((type) => [
  type,
  COMMISSION_TYPES[type].label,
]);
