import { useSearch } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { listQuery } from '../../rules/search.ts';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import { FilterSelect } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { ReasonCards } from './reason-cards.tsx';
import { useCommissionList } from './use-commission-list.tsx';

/** Commissions that wait for a person, by what is suspicious about them, and those that were rejected for it. */
export function Page() {
  const programId = useProgramId();
  const search = useSearch({ from: '/app/programs/$programId/held' });
  const { filters: shown, sort, cursor } = listQuery(search);
  const isRejectedList = shown.status === 'rejected';
  // What was rejected has many reasons; here, it is one of those that commissions are held for.
  const reason = shown.hold_reason ?? (isRejectedList ? 'self_referral' : undefined);
  const waiting = isRejectedList ? { status: 'rejected' as const } : { held: 'true' as const };
  const filters = { ...waiting, hold_reason: reason, partner_id: shown.partner_id };
  // Those of a partner are together, so that a pattern shows.
  const order = sort ?? 'partner_name';
  const list = useCommissionList(filters, { sort: order, cursor });
  return (
    <>
      <ListPage
        title="Held for review"
        description="Commissions that are not approved automatically, because something about the payment does not fit. Approve those that are right, and reject the others: the partner sees your reason."
        {...list}
        toolbar={
          <>
            <FilterSelect name="status" label="Waiting for you" options={[['rejected', 'Rejected']]} />
            <PartnerFilter programId={programId} />
          </>
        }
        sort={order}
        empty={
          <EmptyState icon={ShieldCheck} title={isRejectedList ? 'None rejected' : 'Nothing is waiting for you'}>
            {isRejectedList
              ? 'Commissions that you reject for this reason are kept here, and you can undo a rejection.'
              : 'Commissions appear here when a partner may have bought from themselves, or when only a web page connects a payment with a partner.'}
          </EmptyState>
        }
      >
        <ReasonCards programId={programId} selected={reason} isRequired={isRejectedList} />
      </ListPage>
      <BulkProgress programId={programId} kinds={['review_commissions']} />
    </>
  );
}
