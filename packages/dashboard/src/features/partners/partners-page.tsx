import { Link } from '@tanstack/react-router';
import { Handshake, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Call } from '../../api/client.ts';
import { useRead } from '../../api/hooks.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHead } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FilterSelect, FilterText } from '../../ui/filters.tsx';
import { List } from '../../ui/list.tsx';
import { brandPath, useFilters, useProgramId } from '../../ui/place.ts';
import { Time } from '../../ui/time.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PartnerActions } from './partner-actions.tsx';

type Query = NonNullable<Call<'managePartners'>['query']>;

const STATUSES = [
  ['active', 'Active'],
  ['blocked', 'Blocked'],
  ['removed', 'Removed'],
] as const;

export function Page() {
  const programId = useProgramId();
  const [{ status, q, cursor }] = useFilters();
  const [isInviting, setInviting] = useState(false);
  const query = { status: status as Query['status'], q, cursor };
  const partners = useRead('managePartners', { params: { program_id: programId }, query });
  const invite = (
    <Button look="primary" onClick={() => setInviting(true)}>
      <Plus size={16} aria-hidden /> Invite a partner
    </Button>
  );
  return (
    <>
      <PageHead title="Partners" words="People who send you customers, and earn when those buy.">
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
          { title: 'Since', isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            show: (partner) => <PartnerActions programId={programId} partner={partner} />,
          },
        ]}
        empty={
          <Empty
            icon={Handshake}
            title={q || status ? 'No partner fits' : 'No partners yet'}
            action={!q && !status && invite}
          >
            {q || status
              ? 'Try another search, or leave the filters out.'
              : 'Invite somebody who talks to the people you want to reach. They get a link of their own.'}
          </Empty>
        }
      />
      <InviteDialog programId={programId} isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  );
}
