import { useApiQuery } from '../../../api/hooks.ts';
import { OpeningBalances } from '../../../ui/records/opening-balances.tsx';

export function useOpeningBalances(programId: number, partnerId: number | string) {
  const query = { partner_id: Number(partnerId), limit: 100 };
  return useApiQuery('manageOpeningBalances', { params: { program_id: programId }, query });
}

/** What the partner brought along from another tool. */
export function PartnerOpeningBalances({ programId, partnerId }: { programId: number; partnerId: number }) {
  return <OpeningBalances balances={useOpeningBalances(programId, partnerId).data?.data} />;
}
