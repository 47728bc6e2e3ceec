import type { REVIEW_STATUSES } from '../../rules/statuses.ts';

type Shown = { status?: (typeof REVIEW_STATUSES)[number] };

/** The filters of the page as the API has them: what is held for review has no status of its own there. */
export function commissionFilters<Filters extends Shown>({ status, ...others }: Filters) {
  return status === 'held'
    ? { ...others, status: undefined, held: 'true' as const }
    : { ...others, status, held: undefined };
}
