import { useAction, useRead } from '../../api/hooks.ts';
import { Badge, StateBadge } from '../../ui/feedback/badge.tsx';
import { Loaded } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { InviteLink } from '../../ui/records/invite-link.tsx';
import { Time } from '../../ui/records/time.tsx';

/** Invitations that nobody has accepted yet. */
export function OpenInvitations() {
  const say = useToast();
  const invitations = useRead('manageInvitations');
  const reissuing = useAction('manageReissueInvitation');
  const revoking = useAction('manageRevokeInvitation', () => say('The invitation is taken back'));
  const fresh = reissuing.data?.data;
  return (
    <TitledCard title="Open invitations">
      <Loaded read={invitations} lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-quiet">None. Whoever you invite stands here until they have accepted.</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map(({ id, email, role, expired, expires_at: expiresAt }) => (
                <li key={id} className="flex flex-wrap items-center gap-3 py-3 text-sm">
                  <span className="font-medium">{email}</span>
                  <StateBadge state={role} />
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
                      onClick={() => reissuing.mutate({ params: { invitation_id: id } })}
                    >
                      New link
                    </Button>
                    <Button
                      size="small"
                      look="quiet"
                      aria-label={`Take back the invitation of ${email}`}
                      onClick={() => revoking.mutate({ params: { invitation_id: id } })}
                    >
                      Take back
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {fresh && <InviteLink to={fresh.email} url={fresh.invite_url} isOpen onClose={() => reissuing.reset()} />}
    </TitledCard>
  );
}
