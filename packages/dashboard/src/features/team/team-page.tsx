import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useIsOwner } from '../../api/program.ts';
import { StateBadge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Card, PageHead } from '../../ui/layout/card.tsx';
import { useProgramId } from '../../ui/layout/urls.ts';
import { Table } from '../../ui/lists/table.tsx';
import { Time } from '../../ui/records/time.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberActions } from './member-actions.tsx';
import { OpenInvitations } from './open-invitations.tsx';

/** The people of the workspace, over all its programs. */
export function Page() {
  const isOwner = useIsOwner(useProgramId());
  const members = useRead('manageMembers');
  const me = useRead('manageMe').data?.data.user.id;
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHead
        title="Team"
        words="Owners may do everything. Members may do all but keys, the team and the payment processor."
      >
        {isOwner && (
          <Button look="primary" onClick={() => setInviting(true)}>
            <Plus size={16} aria-hidden /> Invite somebody
          </Button>
        )}
      </PageHead>
      {!isOwner && (
        <div className="mb-6">
          <Notice>You are a member of this workspace; its owners change the team.</Notice>
        </div>
      )}
      <div className="space-y-6">
        <Card>
          <Loaded read={members}>
            {({ data }) => (
              <Table
                label="Team"
                rows={data}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Person',
                    show: ({ id, name, email }) => (
                      <>
                        <span className="font-medium">{name}</span>
                        {id === me && <span className="text-quiet"> (you)</span>}
                        <div className="text-[0.8125rem] text-quiet">{email}</div>
                      </>
                    ),
                  },
                  { title: 'Role', show: ({ role }) => <StateBadge state={role} /> },
                  { title: 'Since', isExtra: true, show: ({ created_at: at }) => <Time at={at} /> },
                  {
                    title: 'Actions',
                    isTitleHidden: true,
                    isNumber: true,
                    show: (member) => isOwner && <MemberActions member={member} />,
                  },
                ]}
              />
            )}
          </Loaded>
        </Card>
        {isOwner && <OpenInvitations />}
      </div>
      <InviteMember isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  );
}
