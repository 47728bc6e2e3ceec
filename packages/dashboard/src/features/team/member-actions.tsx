import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../ui/forms/menu.tsx';
import { RoleDialog } from './role-dialog.tsx';

export function MemberActions({ member }: { member: Row<'manageMembers'> }) {
  const toast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const [isChangingRole, setChangingRole] = useState(false);
  const params = { user_id: member.id };
  const removal = useApiMutation('manageRemoveMember', () => {
    setConfirming(false);
    toast(`${member.name} was removed from the team`);
  });
  return (
    <>
      <ActionsMenu name={member.name}>
        <MenuItem onSelect={() => setChangingRole(true)}>Change role</MenuItem>
        <MenuItem isDanger onSelect={() => setConfirming(true)}>
          Remove from team
        </MenuItem>
      </ActionsMenu>
      {isChangingRole && <RoleDialog member={member} onClose={() => setChangingRole(false)} />}
      <ConfirmDialog
        title={`Remove ${member.name} from the team?`}
        description="They lose access to all programs in this workspace immediately. Their account is not deleted."
        confirmLabel="Remove"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => removal.mutate({ params })}
        isBusy={removal.isPending}
        error={removal.error}
      />
    </>
  );
}
