import { useSearch } from '@tanstack/react-router';
import { Plus, TicketPercent } from 'lucide-react';
import { useState } from 'react';
import { type Row, urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { listQuery } from '../../rules/search.ts';
import { useAction } from '../../ui/feedback/action.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Allowed } from '../../ui/layout/allowed.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { ListViews } from '../../ui/lists/list-views.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { useListSelection } from '../../ui/lists/selection.ts';
import { NameWithAvatar } from '../../ui/records/avatar.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { PartnerFilter } from '../../ui/records/partner-picker.tsx';
import { PartnerLink } from '../../ui/records/record-links.tsx';
import { DateOnly } from '../../ui/records/time.tsx';
import { BulkCoupons } from './bulk-coupons.tsx';
import { CouponPrecedence } from './coupon-precedence.tsx';
import { NewCouponDialog } from './new-coupon-dialog.tsx';

const STATES = [
  ['true', 'On'],
  ['false', 'Off'],
] as const;

/** The coupon codes of partners. A sale with one is credited to its partner without a click. */
export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/programs/$programId/coupons' }));
  const [isCreating, setCreating] = useState(false);
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const coupons = useApiQuery('manageCoupons', { params, query: { ...filters, cursor, limit } });
  const matching = useApiQuery('manageCoupons', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const { selected, count, clear, ...selecting } = useListSelection(
    [programId, cursor, limit],
    filters,
    matching,
    coupons.data?.data,
  );
  const mayChange = useMay(programId, 'manageStartCouponChange');
  const newButton = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden /> New coupon
    </Button>
  );
  return (
    <>
      <ListPage
        title="Coupons"
        description="A sale with the code of a partner is credited to them, even without a click."
        exportUrl={urlOf('manageExportCoupons', { params, query: filters })}
        actions={
          <Allowed route="manageAddCoupon" to="create and change coupons">
            {newButton}
          </Allowed>
        }
        query={coupons}
        rowKey={({ id }) => id}
        count={matching.data?.meta.count}
        noun="coupons"
        hasPageSize
        selecting={
          mayChange
            ? {
                ...selecting,
                nameOf: ({ code }) => code,
                actions: <BulkCoupons programId={programId} selection={selected} count={count} onDone={clear} />,
              }
            : undefined
        }
        toolbar={
          <>
            <FilterText label="Search coupons" placeholder="Start of the code" />
            <PartnerFilter programId={programId} />
            <FilterSelect name="active" label="All statuses" options={STATES} />
            <ListViews programId={programId} list="coupons" />
          </>
        }
        columns={[
          { title: 'Code', cell: ({ code }) => <Identifier>{code}</Identifier> },
          {
            title: 'Partner',
            showFrom: 'medium',
            isStacked: true,
            cell: ({ partner_id: id, partner_name: name }) => (
              <PartnerLink programId={programId} partnerId={id}>
                <NameWithAvatar name={name} />
              </PartnerLink>
            ),
          },
          {
            title: 'Status',
            showFrom: 'small',
            isStacked: true,
            cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{active ? 'On' : 'Off'}</Badge>,
          },
          { title: 'Created', showFrom: 'medium', cell: ({ created_at: at }) => <DateOnly at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (coupon) => <SwitchButton programId={programId} coupon={coupon} />,
          },
        ]}
        empty={
          <EmptyList
            icon={TicketPercent}
            noun="coupons"
            isFiltered={isFiltered}
            action={<Allowed route="manageAddCoupon">{newButton}</Allowed>}
          >
            Give a partner a code that they share, as in a podcast. Your server sends it with the sale as coupon_code.
          </EmptyList>
        }
      >
        <CouponPrecedence programId={programId} />
      </ListPage>
      <BulkProgress programId={programId} kinds={['change_coupons']} />
      {isCreating && <NewCouponDialog programId={programId} onClose={() => setCreating(false)} />}
    </>
  );
}

/** Switches a coupon on or off. Sales so far keep their partner. */
function SwitchButton({ programId, coupon }: { programId: number; coupon: Row<'manageCoupons'> }) {
  const toast = useToast();
  const update = useAction('manageUpdateCoupon', ({ code, active }) => toast(`${code} is ${active ? 'on' : 'off'}`));
  const params = { program_id: programId, coupon_id: coupon.id };
  return (
    <Allowed route="manageUpdateCoupon">
      <Button
        size="small"
        isBusy={update.isPending}
        onClick={() => update.mutate({ params, body: { active: !coupon.active } })}
      >
        Switch {coupon.active ? 'off' : 'on'}
        <span className="sr-only">{coupon.code}</span>
      </Button>
    </Allowed>
  );
}
