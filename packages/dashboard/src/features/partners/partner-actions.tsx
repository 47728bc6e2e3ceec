import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/forms/dialog.tsx';
import { Menu, MenuItem } from '../../ui/forms/menu.tsx';
import { InviteLink } from '../../ui/records/invite-link.tsx';

export type Partner = Row<'managePartners'>;

const CONSEQUENCES = {
  blocked: [
    'Block',
    'Their links stop at once, and sales of their customers earn nothing new. What they earned stays theirs.',
  ],
  removed: ['Remove', 'They leave the program: links stop and nothing new is earned. What they earned stays theirs.'],
} as const;

const DECLINED = ['Decline', 'They do not become a partner. You can still bring them back later.'] as const;
const BROUGHT_BACK = { applied: 'Approve', blocked: 'Unblock', removed: 'Bring back' } as const;

/** What can be done about a partner; what hurts is asked about first. */
export function PartnerActions({ programId, partner }: { programId: number; partner: Partner }) {
  const say = useToast();
  const [asking, setAsking] = useState<keyof typeof CONSEQUENCES | null>(null);
  const params = { program_id: programId, partner_id: partner.id };
  const isApplication = partner.status === 'applied';
  const updating = useAction('manageUpdatePartner', ({ name, status }) => {
    setAsking(null);
    const activated = isApplication ? 'a partner now' : 'active again';
    say(`${name} is ${status === 'active' ? activated : status}`);
  });
  const inviting = useAction('manageInvitePartner');
  const revoking = useAction('manageRevokePartnerInvitation', () => say('The invitation is taken back'));
  const [verb, words] = asking ? (isApplication ? DECLINED : CONSEQUENCES[asking]) : ['', ''];
  const activate = () => updating.mutate({ params, body: { status: 'active' } });
  return (
    <>
      {isApplication && (
        <Button size="small" look="primary" onClick={activate} isBusy={updating.isPending}>
          Approve
        </Button>
      )}
      <Menu
        trigger={
          <Button size="small" look="quiet" aria-label={`Actions for ${partner.name}`}>
            <Ellipsis size={17} aria-hidden />
          </Button>
        }
      >
        {partner.status !== 'active' && <MenuItem onSelect={activate}>{BROUGHT_BACK[partner.status]}</MenuItem>}
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
            {isApplication ? 'Decline' : 'Remove'}
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
