import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { InviteLink } from '../../ui/invite-link.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { useToast } from '../../ui/toast.tsx';

export type Partner = Row<'managePartners'>;

const CONSEQUENCES = {
  blocked: [
    'Block',
    'Their links stop at once, and sales of their customers earn nothing new. What they earned stays theirs.',
  ],
  removed: ['Remove', 'They leave the program: links stop and nothing new is earned. What they earned stays theirs.'],
} as const;

/** What can be done about a partner; what hurts is asked about first. */
export function PartnerActions({ programId, partner }: { programId: number; partner: Partner }) {
  const say = useToast();
  const [asking, setAsking] = useState<keyof typeof CONSEQUENCES | null>(null);
  const params = { program_id: programId, partner_id: partner.id };
  const updating = useAction('manageUpdatePartner', ({ name, status }) => {
    setAsking(null);
    say(status === 'active' ? `${name} is active again` : `${name} is ${status}`);
  });
  const inviting = useAction('manageInvitePartner');
  const revoking = useAction('manageRevokePartnerInvitation', () => say('The invitation is taken back'));
  const [verb, words] = asking ? CONSEQUENCES[asking] : ['', ''];
  return (
    <>
      <Menu
        trigger={
          <Button size="small" look="quiet" aria-label={`Actions for ${partner.name}`}>
            <Ellipsis size={17} aria-hidden />
          </Button>
        }
      >
        {partner.status !== 'active' && (
          <MenuItem onSelect={() => updating.mutate({ params, body: { status: 'active' } })}>
            {partner.status === 'blocked' ? 'Unblock' : 'Bring back'}
          </MenuItem>
        )}
        {!partner.has_account && (
          <>
            <MenuItem onSelect={() => inviting.mutate({ params })}>New invitation link</MenuItem>
            <MenuItem onSelect={() => revoking.mutate({ params })}>Take the invitation back</MenuItem>
          </>
        )}
        {partner.status === 'active' && (
          <MenuItem isDanger onSelect={() => setAsking('blocked')}>
            Block
          </MenuItem>
        )}
        {partner.status !== 'removed' && (
          <MenuItem isDanger onSelect={() => setAsking('removed')}>
            Remove
          </MenuItem>
        )}
      </Menu>
      <Confirm
        title={`${verb} ${partner.name}?`}
        words={words}
        confirm={verb}
        isOpen={asking !== null}
        onClose={() => setAsking(null)}
        onConfirm={() => asking && updating.mutate({ params, body: { status: asking } })}
        isBusy={updating.isPending}
        error={updating.error}
      />
      {inviting.data && (
        <InviteLink to={partner.name} url={inviting.data.data.invite_url} isOpen onClose={() => inviting.reset()} />
      )}
    </>
  );
}
