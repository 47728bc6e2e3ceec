import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/forms/dialog.tsx';
import { Menu, MenuItem } from '../../ui/forms/menu.tsx';

export function MemberActions({ member }: { member: Row<'manageMembers'> }) {
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const params = { user_id: member.id };
  const other = member.role === 'owner' ? 'member' : 'owner';
  const changing = useAction('manageUpdateMember', ({ name, role }) => say(`${name} is ${role} now`));
  const removing = useAction('manageRemoveMember', () => {
    setAsking(false);
    say(`${member.name} is no longer in the team`);
  });
  return (
    <>
      <Menu
        trigger={
          <Button size="small" look="quiet" aria-label={`Actions for ${member.name}`}>
            <Ellipsis size={17} aria-hidden />
          </Button>
        }
      >
        <MenuItem
          onSelect={() =>
            changing.mutate({ params, body: { role: other } }, { onError: (error) => say(error.message, 'bad') })
          }
        >
          Make {other}
        </MenuItem>
        <MenuItem isDanger onSelect={() => setAsking(true)}>
          Take out of the team
        </MenuItem>
      </Menu>
      <Confirm
        title={`Take ${member.name} out of the team?`}
        words="They lose access to all programs of this workspace at once. Their account stays."
        confirm="Take out"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => removing.mutate({ params })}
        isBusy={removing.isPending}
        error={removing.error}
      />
    </>
  );
}
