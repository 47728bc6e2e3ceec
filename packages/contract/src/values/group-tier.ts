import { z } from 'zod';

/** What a tier can count. */
export const TIER_MEASURES = {
  revenue: 'Confirmed revenue, in the smallest unit of the program’s currency, without refunds',
  sales: 'Confirmed sales that were not refunded in full',
} as const;

export type TierMeasure = keyof typeof TIER_MEASURES;

/** The time that a tier counts, always up to the end of the day before, in UTC. */
export const TIER_PERIODS = {
  month: 'Since the first day of the month',
  lifetime: 'Since the partner joined',
} as const;

export type TierPeriod = keyof typeof TIER_PERIODS;

const OF = Object.keys(TIER_MEASURES) as [TierMeasure, ...TierMeasure[]];
const IN = Object.keys(TIER_PERIODS) as [TierPeriod, ...TierPeriod[]];
const AT_LEAST = 'tier.at_least must be a whole number, 1 or more';

/** From when on partners belong to a group without being moved by hand. */
export const groupTier = z.object(
  {
    of: z
      .enum(OF, { error: `tier.of must be ${OF.join(' or ')}` })
      .describe(
        '`revenue` counts the smallest unit of the program’s currency. Only confirmed sales count, without refunds.',
      ),
    in: z
      .enum(IN, { error: `tier.in must be ${IN.join(' or ')}` })
      .describe('Up to the end of the day before, in UTC.'),
    at_least: z.int({ error: AT_LEAST }).min(1, { error: AT_LEAST }),
  },
  { error: 'tier must be an object with of, in and at_least' },
);

export type GroupTier = z.output<typeof groupTier>;
