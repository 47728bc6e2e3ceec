import { Link } from '@tanstack/react-router';
import { Handshake, Link2 as LinkIcon, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { PageHead } from '../../ui/layout/card.tsx';
import { brandPath, useListFilters, useProgramId } from '../../ui/layout/urls.ts';
import { EmptyList } from '../../ui/lists/empty.tsx';
import { FilterSelect, FilterText } from '../../ui/lists/filters.tsx';
import { List } from '../../ui/lists/list.tsx';
import { Time } from '../../ui/records/time.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { JoinLinkDialog } from './join-link-dialog.tsx';
import { PartnerActions } from './partner-actions.tsx';

type Query = NonNullable<Call<'managePartners'>['query']>;

const STATUSES = [
  ['applied', 'Applied'],
  ['active', 'Active'],
  ['blocked', 'Blocked'],
  ['removed', 'Removed'],
] as const;

export function Page() {
  const programId = useProgramId();
  const { filters, cursor, isFiltered } = useListFilters('status', 'q');
  const [open, setOpen] = useState<'invite' | 'join-link' | null>(null);
  const close = () => setOpen(null);
  const query = { ...filters, cursor } as Query;
  const partners = useRead('managePartners', { params: { program_id: programId }, query });
  const invite = (
    <Button look="primary" onClick={() => setOpen('invite')}>
      <Plus size={16} aria-hidden /> Invite a partner
    </Button>
  );
  return (
    <>
      <PageHead title="Partners" words="People who send you customers, and earn when those buy.">
        <Button onClick={() => setOpen('join-link')}>
          <LinkIcon size={16} aria-hidden /> Join link
        </Button>
        {invite}
      </PageHead>
      <List
        label="Partners"
        read={partners}
        keyOf={({ id }) => id}
        tools={
          <>
            <FilterText name="q" label="Search partners" placeholder="Name or e-mail" />
            <FilterSelect name="status" label="All states" choices={STATUSES} />
          </>
        }
        columns={[
          {
            title: 'Partner',
            show: ({ id, name, email }) => (
              <>
                <Link to={brandPath(programId, `partners/${id}`)} className="font-medium hover:underline">
                  {name}
                </Link>
                <div className="text-[0.8125rem] text-quiet">{email}</div>
              </>
            ),
          },
          {
            title: 'State',
            show: ({ status: state, has_account: hasAccount }) => (
              <StateBadge state={state === 'active' && !hasAccount ? 'invited' : state} />
            ),
          },
          { title: 'Clicks, 30 days', isNumber: true, isExtra: true, show: (partner) => partner.last_30_days.clicks },
          { title: 'Signups', isNumber: true, isExtra: true, show: (partner) => partner.last_30_days.leads },
          { title: 'Sales', isNumber: true, isExtra: true, show: (partner) => partner.last_30_days.sales },
          { title: 'Since', isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            show: (partner) => <PartnerActions programId={programId} partner={partner} />,
          },
        ]}
        empty={
          <EmptyList icon={Handshake} what={['partner', 'partners']} isFiltered={isFiltered} action={invite}>
            Invite somebody who talks to the people you want to reach. They get a link of their own.
          </EmptyList>
        }
      />
      <InviteDialog programId={programId} isOpen={open === 'invite'} onClose={close} />
      <JoinLinkDialog programId={programId} isOpen={open === 'join-link'} onClose={close} />
    </>
  );
}
