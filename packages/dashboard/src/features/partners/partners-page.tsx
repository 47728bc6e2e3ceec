import { Link, useSearch } from '@tanstack/react-router';
import { Handshake, Link2 as LinkIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { formatCount } from '../../rules/money.ts';
import { listQuery } from '../../rules/search.ts';
import { PARTNER_STATUSES } from '../../rules/statuses.ts';
import { statusOptions } from '../../ui/feedback/status-badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { AccountChanged } from '../../ui/records/account-changed.tsx';
import { PartnerStatus } from '../../ui/records/partner-status.tsx';
import { Time } from '../../ui/records/time.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { JoinLinkDialog } from './join-link-dialog.tsx';
import { PartnerActions } from './partner-actions.tsx';

export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = listQuery(useSearch({ from: '/app/programs/$programId/partners' }));
  const [openDialog, setOpenDialog] = useState<'invite' | 'join-link' | null>(null);
  const closeDialog = () => setOpenDialog(null);
  const partners = useApiQuery('managePartners', { params: { program_id: programId }, query: { ...filters, cursor } });
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
        actions={
          <>
            <Button onClick={() => setOpenDialog('join-link')}>
              <LinkIcon size={16} aria-hidden /> Join link
            </Button>
            {inviteButton}
          </>
        }
        query={partners}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <FilterText label="Search partners" placeholder="Name or email" />
            <FilterSelect name="status" label="All statuses" options={statusOptions(PARTNER_STATUSES)} />
          </>
        }
        columns={[
          {
            title: 'Partner',
            cell: ({ id, name, email, account_changed_at: changedAt }) => (
              <>
                <Link
                  to="/app/programs/$programId/partners/$partnerId"
                  params={{ programId, partnerId: String(id) }}
                  className="font-medium hover:underline"
                >
                  {name}
                </Link>
                <div className="text-caption text-quiet">{email}</div>
                <AccountChanged at={changedAt} />
              </>
            ),
          },
          {
            title: 'Status',
            cell: ({ status, has_account: hasAccount }) => <PartnerStatus status={status} hasAccount={hasAccount} />,
          },
          {
            title: 'Clicks (30 days)',
            isRightAligned: true,
            showFrom: 'medium',
            cell: ({ last_30_days: { clicks } }) => formatCount(clicks),
          },
          {
            title: 'Signups (30 days)',
            isRightAligned: true,
            showFrom: 'medium',
            cell: ({ last_30_days: { leads } }) => formatCount(leads),
          },
          {
            title: 'Sales (30 days)',
            isRightAligned: true,
            showFrom: 'medium',
            cell: ({ last_30_days: { sales } }) => formatCount(sales),
          },
          { title: 'Added', showFrom: 'medium', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (partner) => <PartnerActions programId={programId} partner={partner} />,
          },
        ]}
        empty={
          <EmptyList icon={Handshake} noun="partners" isFiltered={isFiltered} action={inviteButton}>
            Invite someone who reaches the people you want as customers. They get their own links to share.
          </EmptyList>
        }
      />
      <InviteDialog programId={programId} isOpen={openDialog === 'invite'} onClose={closeDialog} />
      <JoinLinkDialog programId={programId} isOpen={openDialog === 'join-link'} onClose={closeDialog} />
    </>
  );
}
