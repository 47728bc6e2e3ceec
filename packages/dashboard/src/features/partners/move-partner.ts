import { useRef } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useUndoToast } from '../../ui/feedback/toast.tsx';

type Moved = Pick<Row<'managePartners'>, 'id' | 'group_id' | 'group_name' | 'group_by'>;

/** Moves one partner to a group, or leaves the group to the tiers (null). The message about it offers to undo it. */
export function useMovePartner(programId: number) {
  const undoToast = useUndoToast();
  const whenMoved = useRef<(moved: Pick<Moved, 'group_name'> & { name: string }) => void>(null);
  // Said before the list is fetched again: the partner may then have left it, and with them the button that was pressed.
  const update = useApiMutation('manageUpdatePartner', (moved) => whenMoved.current?.(moved));
  const move = (partner: Moved, groupId: number | null, onMoved?: () => void) => {
    const params = { program_id: programId, partner_id: partner.id };
    const before = { group_id: partner.group_by === 'tier' ? null : partner.group_id };
    whenMoved.current = ({ name, group_name: group }) => {
      undoToast(`${name} is in ${group}`, {
        route: 'manageUpdatePartner',
        request: { params, body: before },
        done: `${name} is in ${partner.group_name} again`,
      });
      onMoved?.();
    };
    update.mutate({ params, body: { group_id: groupId } });
  };
  return { move, isPending: update.isPending, error: update.error };
}
