import { useApiQuery } from '../../../api/hooks.ts';
import { OpeningBalances } from '../../../ui/records/opening-balances.tsx';

/** What the partner brought along from another tool. */
export function PartnerOpeningBalances({ programId, partnerId }: { programId: number; partnerId: number }) {
  const query = { partner_id: partnerId, limit: 100 };
  const balances = useApiQuery('manageOpeningBalances', { params: { program_id: programId }, query });
  return <OpeningBalances balances={balances.data?.data} />;
}
