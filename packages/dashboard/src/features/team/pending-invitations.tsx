import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { StatusBadge } from '../../ui/feedback/status-badge.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { ReplaceInviteLinkDialog, RevokeInvitationDialog } from '../../ui/records/invitation-dialogs.tsx';
import { InviteLinkDialog } from '../../ui/records/invite-link-dialog.tsx';
import { Time } from '../../ui/records/time.tsx';

type Invitation = Row<'manageInvitations'>;
type Asked = { about: 'new link' | 'revoke'; invitation: Invitation };

/** Invitations that have not been accepted yet. */
export function PendingInvitations() {
  const invitations = useApiQuery('manageInvitations');
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <TitledCard title="Pending invitations">
      <QueryState query={invitations} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-quiet">No pending invitations.</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((invitation) => (
                <PendingInvitation key={invitation.id} invitation={invitation} onAsk={setAsked} />
              ))}
            </ul>
          )
        }
      </QueryState>
      {asked?.about === 'new link' && <NewLinkDialog invitation={asked.invitation} onClose={close} />}
      {asked?.about === 'revoke' && <RevokeDialog invitation={asked.invitation} onClose={close} />}
    </TitledCard>
  );
}

type PendingInvitationProps = { invitation: Invitation; onAsk: (asked: Asked) => void };

function PendingInvitation({ invitation, onAsk }: PendingInvitationProps) {
  const { email, open_link: isOpenLink, undeliverable, role, expired, expires_at: expiresAt } = invitation;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 text-sm">
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
          onClick={() => onAsk({ about: 'new link', invitation })}
        >
          New link
        </Button>
        <Button
          size="small"
          variant="ghost"
          aria-label={`Revoke invitation for ${email}`}
          onClick={() => onAsk({ about: 'revoke', invitation })}
        >
          Revoke
        </Button>
      </span>
    </li>
  );
}

type DialogProps = { invitation: Invitation; onClose: () => void };

function NewLinkDialog({ invitation: { id, email }, onClose }: DialogProps) {
  const renewal = useApiMutation('manageReissueInvitation');
  const renewed = renewal.data?.data;
  if (renewed) {
    return (
      <InviteLinkDialog
        recipient={renewed.email || 'the new owner'}
        isOpenLink={renewed.open_link}
        url={renewed.invite_url}
        isMailed={renewed.mailed}
        isOpen
        onClose={onClose}
      />
    );
  }
  return (
    <ReplaceInviteLinkDialog
      recipient={email || 'the new owner'}
      onClose={onClose}
      onConfirm={() => renewal.mutate({ params: { invitation_id: id } })}
      isBusy={renewal.isPending}
      error={renewal.error}
    />
  );
}

function RevokeDialog({ invitation: { id, email }, onClose }: DialogProps) {
  const toast = useToast();
  const revocation = useApiMutation('manageRevokeInvitation', () => {
    onClose();
    toast('Invitation revoked');
  });
  return (
    <RevokeInvitationDialog
      recipient={email || 'the new owner'}
      onClose={onClose}
      onConfirm={() => revocation.mutate({ params: { invitation_id: id } })}
      isBusy={revocation.isPending}
      error={revocation.error}
    />
  );
}
