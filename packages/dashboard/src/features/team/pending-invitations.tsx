import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { InviteLinkDialog } from '../../ui/records/invite-link-dialog.tsx';
import { Time } from '../../ui/records/time.tsx';

/** Invitations that have not been accepted yet. */
export function PendingInvitations() {
  const toast = useToast();
  const invitations = useApiQuery('manageInvitations');
  const renewal = useApiMutation('manageReissueInvitation');
  const revocation = useApiMutation('manageRevokeInvitation', () => toast('Invitation revoked'));
  const renewed = renewal.data?.data;
  return (
    <TitledCard title="Pending invitations">
      <QueryState query={invitations} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-quiet">No pending invitations.</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map(({ id, email, open_link: isOpenLink, undeliverable, role, expired, expires_at: expiresAt }) => (
                <li key={id} className="flex flex-wrap items-center gap-3 py-3 text-sm">
                  <span className="font-medium">{email || 'Anyone'}</span>
                  {undeliverable && <Badge tone="bad">Email can’t be delivered</Badge>}
                  {isOpenLink && <Badge tone="warn">Anyone with the link</Badge>}
                  <StatusBadge status={role} />
                  {expired ? (
                    <Badge tone="bad">Expired</Badge>
                  ) : (
                    <span className="text-quiet">
                      expires <Time at={expiresAt} isRelative />
                    </span>
                  )}
                  <span className="ml-auto flex gap-1">
                    <Button
                      size="small"
                      aria-label={`New link for ${email}`}
                      onClick={() => renewal.mutate({ params: { invitation_id: id } })}
                    >
                      New link
                    </Button>
                    <Button
                      size="small"
                      variant="ghost"
                      aria-label={`Revoke invitation for ${email}`}
                      onClick={() => revocation.mutate({ params: { invitation_id: id } })}
                    >
                      Revoke
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
      {renewed && (
        <InviteLinkDialog
          recipient={renewed.email || 'the new owner'}
          isOpenLink={renewed.open_link}
          url={renewed.invite_url}
          isMailed={renewed.mailed}
          isOpen
          onClose={() => renewal.reset()}
        />
      )}
    </TitledCard>
  );
}
