import { usePartnerName, usePartnerOptions } from '../../api/program.ts';
import { useSearchParams } from '../layout/search-params.ts';
import { FilterSelect } from '../lists/filters.tsx';

/** Filters by partner. The list holds the newest active ones; the URL can name any other, who is shown by name as well. */
export function PartnerFilter({ programId }: { programId: number }) {
  const [{ partner_id: selected }] = useSearchParams();
  const options = usePartnerOptions(programId);
  const isListed = options.some(([id]) => id === selected);
  const name = usePartnerName(programId, isListed ? undefined : selected);
  const unlisted = selected && !isListed ? [[selected, name ?? 'Loading…'] as const] : [];
  return <FilterSelect name="partner_id" label="All partners" options={[...options, ...unlisted]} />;
}
