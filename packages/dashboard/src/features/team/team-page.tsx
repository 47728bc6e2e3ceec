import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../api/hooks.ts';
import { useMayInWorkspace, whoMay } from '../../api/rights.ts';
import { roleInSentence } from '../../rules/role.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { Time } from '../../ui/records/time.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberActions } from './member-actions.tsx';
import { NewerRelease } from './newer-release.tsx';
import { PendingInvitations } from './pending-invitations.tsx';
import { RoleList } from './role-list.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';

/** The people in the workspace, with access to all its programs. */
export function Page() {
  const mayManage = useMayInWorkspace('manageUpdateMember');
  const members = useApiQuery('manageMembers');
  const me = useApiQuery('manageMe').data?.data;
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader
        title="Team"
        description="The people who work on your programs. Each person has one role for the whole workspace."
      >
        {mayManage && (
          <Button variant="primary" onClick={() => setInviting(true)}>
            <Plus size={16} aria-hidden /> Invite member
          </Button>
        )}
      </PageHeader>
      {me && !mayManage && (
        <div className="mb-6">
          <Notice>
            You are {roleInSentence(me.role)} of this workspace. {whoMay('manageUpdateMember')} manage the team.
          </Notice>
        </div>
      )}
      <div className="space-y-6">
        <Card>
          <QueryState query={members}>
            {({ data }) => (
              <DataTable
                label="Team"
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name, email, undeliverable: isUndeliverable }) => (
                      <>
                        <span className="font-medium">{name}</span>
                        {id === me?.user.id && <span className="text-quiet"> (you)</span>}
                        <div className="text-caption text-quiet">
                          {email} {isUndeliverable && <Badge tone="bad">Email can’t be delivered</Badge>}
                        </div>
                      </>
                    ),
                  },
                  { title: 'Role', cell: ({ role }) => <StatusBadge status={role} /> },
                  {
                    title: 'Second factor',
                    showFrom: 'medium',
                    cell: ({ second_factor: has }) => (
                      <Badge tone={has ? 'good' : 'neutral'}>{has ? 'On' : 'Off'}</Badge>
                    ),
                  },
                  { title: 'Joined', showFrom: 'medium', cell: ({ created_at: at }) => <Time at={at} /> },
                  {
                    title: 'Actions',
                    isTitleHidden: true,
                    isRightAligned: true,
                    cell: (member) => mayManage && <MemberActions member={member} />,
                  },
                ]}
              />
            )}
          </QueryState>
        </Card>
        {/* Nobody knows before how long the list is, and it would move what is below it. */}
        {!members.isPending && (
          <>
            {mayManage && <PendingInvitations />}
            {mayManage && members.data && (
              <SecondFactorRule missing={members.data.data.filter(({ second_factor: has }) => !has).length} />
            )}
            <RoleList />
            {mayManage && <NewerRelease />}
          </>
        )}
      </div>
      <InviteMember isOpen={isInviting} onClose={() => setInviting(false)} />
    </>
  );
}
