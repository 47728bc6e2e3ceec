import { Link, useSearch } from '@tanstack/react-router';
import { Handshake, Link2 as LinkIcon, Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { type Row, urlOf } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { listQuery } from '../../rules/search.ts';
import { PARTNER_STATUSES } from '../../rules/statuses.ts';
import { statusOptions } from '../../ui/feedback/status-badge.tsx';
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
import { useSetSort } from '../../ui/lists/sorting.ts';
import { AccountChanged } from '../../ui/records/account-changed.tsx';
import { Avatar } from '../../ui/records/avatar.tsx';
import { amountColumn, NumbersLine, numberColumns } from '../../ui/records/number-columns.tsx';
import { PartnerStatus } from '../../ui/records/partner-status.tsx';
import { Time } from '../../ui/records/time.tsx';
import { ApproveAll } from './approve-all.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { InvitationResults } from './invite/invitation-results.tsx';
import { InviteManyDialog } from './invite/invite-many-dialog.tsx';
import { SendAllAgain } from './invite/send-all-again.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { JoinLinkDialog } from './join-link-dialog.tsx';
import { PartnerActions } from './partner-actions.tsx';
import { partnerFilters } from './partner-filters.ts';

type Partner = Row<'managePartners'>;

const BULK_KINDS = ['change_partners', 'message_partners', 'invite_partners', 'resend_invitations'] as const;

export function Page() {
  const programId = useProgramId();
  const {
    filters: shown,
    sort,
    cursor,
    isFiltered,
  } = listQuery(useSearch({ from: '/app/programs/$programId/partners' }));
  const filters = partnerFilters(shown);
  const [openDialog, setOpenDialog] = useState<'invite' | 'invite-many' | 'join-link' | null>(null);
  const [resultsOf, setResultsOf] = useState<number | null>(null);
  const closeDialog = () => setOpenDialog(null);
  const showResults = (bulkActionId: number) => {
    closeDialog();
    setResultsOf(bulkActionId);
  };
  const setSort = useSetSort();
  const [limit] = usePageSize();
  const params = { program_id: programId };
  const partners = useApiQuery('managePartners', { params, query: { ...filters, sort, cursor, limit } });
  const matching = useApiQuery('managePartners', { params, query: { ...filters, totals: 'true', limit: 1 } });
  const groups = useApiQuery('manageGroups', { params }).data?.data ?? [];
  const { count, totals } = matching.data?.meta ?? {};
  const {
    selected,
    count: _,
    clear,
    ...selecting
  } = useListSelection([programId, sort, cursor, limit], filters, matching, partners.data?.data);
  const mayChange = useMay(programId, 'manageStartPartnerChange');
  const rows = partners.data?.data ?? [];
  const inviteButton = (
    <Button variant="primary" onClick={() => setOpenDialog('invite')}>
      <Plus size={16} aria-hidden /> Invite a partner
    </Button>
  );
  return (
    <>
      <ListPage
        title="Partners"
        description="People who refer customers to you and earn a commission when they buy."
        exportUrl={urlOf('manageExportPartners', { params, query: filters })}
        actions={
          <Allowed route="manageAddPartner" to="invite and manage partners">
            {shown.status === 'applied' && selecting.matching !== undefined && selecting.matching > 1 && (
              <ApproveAll programId={programId} filter={filters} count={selecting.matching} />
            )}
            {shown.status === 'invited' && selecting.matching !== undefined && selecting.matching > 0 && (
              <SendAllAgain
                programId={programId}
                filter={filters}
                count={selecting.matching}
                onStarted={setResultsOf}
              />
            )}
            <Button onClick={() => setOpenDialog('join-link')}>
              <LinkIcon size={16} aria-hidden /> Join link
            </Button>
            <Button onClick={() => setOpenDialog('invite-many')}>
              <Users size={16} aria-hidden /> Invite many
            </Button>
            {inviteButton}
          </Allowed>
        }
        query={partners}
        rowKey={({ id }) => id}
        count={count}
        noun="partners"
        hasPageSize
        sort={sort ?? '-created_at'}
        onSort={setSort}
        selecting={
          mayChange
            ? {
                ...selecting,
                nameOf: ({ name }) => name,
                actions: (
                  <BulkActions
                    programId={programId}
                    selection={selected}
                    shown={rows.filter(({ id }) => selecting.selection.keys.has(String(id)))}
                    onDone={clear}
                  />
                ),
              }
            : undefined
        }
        toolbar={
          <>
            <FilterText label="Search partners" placeholder="Name or email" />
            <FilterSelect name="status" label="All statuses" options={statusOptions(PARTNER_STATUSES)} />
            {/* Also while the groups are not known yet: what is beside it would move. */}
            <FilterSelect
              name="group_id"
              label="All groups"
              options={groups.map(({ id, name }) => [String(id), name])}
            />
            <ListViews programId={programId} list="partners" />
          </>
        }
        columns={[
          {
            title: 'Partner',
            sortBy: 'name',
            takesRest: true,
            cell: (partner) => <PartnerCell programId={programId} partner={partner} />,
          },
          {
            title: 'Status',
            showFrom: 'medium',
            isStacked: true,
            cell: ({ status, has_account: hasAccount }) => <PartnerStatus status={status} hasAccount={hasAccount} />,
          },
          ...numberColumns<Partner>(totals, 'Commissions'),
          amountColumn<Partner>('Payable', 'payable_cents', totals),
          {
            title: 'Added',
            showFrom: 'widest',
            sortBy: 'created_at',
            isSortedDownFirst: true,
            cell: ({ created_at: at }) => <Time at={at} />,
          },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (partner) => (
              <Allowed route="manageUpdatePartner">
                <PartnerActions programId={programId} partner={partner} size="small" />
              </Allowed>
            ),
          },
        ]}
        empty={
          <EmptyList
            icon={Handshake}
            noun="partners"
            isFiltered={isFiltered}
            action={<Allowed route="manageAddPartner">{inviteButton}</Allowed>}
          >
            Invite someone who reaches the people you want as customers. They get their own links to share.
          </EmptyList>
        }
      />
      <BulkProgress programId={programId} kinds={BULK_KINDS} onDetails={setResultsOf} />
      <InviteDialog programId={programId} isOpen={openDialog === 'invite'} onClose={closeDialog} />
      {openDialog === 'invite-many' && (
        <InviteManyDialog programId={programId} onClose={closeDialog} onStarted={showResults} />
      )}
      {resultsOf !== null && (
        <InvitationResults programId={programId} bulkActionId={resultsOf} onClose={() => setResultsOf(null)} />
      )}
      <JoinLinkDialog programId={programId} isOpen={openDialog === 'join-link'} onClose={closeDialog} />
    </>
  );
}

function PartnerCell({ programId, partner }: { programId: number; partner: Partner }) {
  const { id, name, email, account_changed_at: changedAt, numbers } = partner;
  return (
    <div className="flex items-center gap-3">
      <Avatar name={name} size="medium" />
      <div className="min-w-0 @min-[640px]:max-w-64">
        <Link
          to="/app/programs/$programId/partners/$partnerId"
          params={{ programId, partnerId: String(id) }}
          title={name}
          className="block truncate font-medium hover:underline"
        >
          {name}
        </Link>
        <div className="truncate text-caption text-quiet">{email}</div>
        <NumbersLine numbers={numbers} commissionTitle="Commissions" />
        <AccountChanged at={changedAt} />
      </div>
    </div>
  );
}
