import type { WorkspaceRole } from '@svc/contract';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { roleInSentence } from '../../rules/role.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { ROLE_OPTIONS } from './role-options.ts';

type RoleDialogProps = { member: Row<'manageMembers'>; onClose: () => void };

/** Changes what someone in the team may do. */
export function RoleDialog({ member, onClose }: RoleDialogProps) {
  const toast = useToast();
  const [role, setRole] = useState(member.role as WorkspaceRole);
  const update = useApiMutation('manageUpdateMember', ({ name, role: now }) => {
    toast(`${name} is now ${roleInSentence(now)}`);
    onClose();
  });
  return (
    <Dialog
      title={`Change the role of ${member.name}`}
      description="It takes effect immediately. Invitations they sent and may no longer send are revoked."
      isOpen
      onClose={onClose}
    >
      <Form error={update.error} onSubmit={() => update.mutate({ params: { user_id: member.id }, body: { role } })}>
        <SelectField label="Role" name="role" options={ROLE_OPTIONS} value={role} onValueChange={setRole} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={role === member.role} isBusy={update.isPending}>
            Change role
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
