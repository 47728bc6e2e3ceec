import type { Call } from '../../api/client.ts';
import type { PARTNER_STATUSES } from '../../rules/statuses.ts';

type Shown = { status?: (typeof PARTNER_STATUSES)[number]; group_id?: string; q?: string };
type Asked = Pick<NonNullable<Call<'managePartners'>['query']>, 'status' | 'has_account' | 'group_id' | 'q'>;

/** The filters of the page as the API has them: an invited partner is an active one without an account. */
export function partnerFilters({ status, ...others }: Shown): Asked {
  if (status === 'invited') return { ...others, status: 'active', has_account: 'false' };
  if (status === 'active') return { ...others, status, has_account: 'true' };
  return { ...others, status };
}
