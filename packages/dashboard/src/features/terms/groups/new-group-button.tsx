import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiQuery } from '../../../api/hooks.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { GroupDialog } from './group-dialog.tsx';

type NewGroupButtonProps = { programId: number; onCreated: () => void };

/** Creates a group, from every tab of the page. */
export function NewGroupButton({ programId, onCreated }: NewGroupButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const currency = useApiQuery('manageProgram', { params: { program_id: programId } }).data?.data.currency ?? 'USD';
  return (
    <Allowed route="manageAddGroup">
      <Button onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden /> New group
      </Button>
      {isOpen && <GroupDialog {...{ programId, currency, onCreated }} onClose={() => setOpen(false)} />}
    </Allowed>
  );
}
