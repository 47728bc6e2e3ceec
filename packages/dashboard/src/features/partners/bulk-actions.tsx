import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { BulkSelection } from '../../api/bulk.ts';
import type { Call, Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/forms/dialog.tsx';
import { Menu, MenuItem } from '../../ui/forms/menu.tsx';
import { type BulkChoice, BulkChoices } from '../../ui/lists/bulk-choices.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { useMovePartner } from './move-partner.ts';

type Partner = Row<'managePartners'>;
type Group = Row<'manageGroups'>;
type Change = Pick<NonNullable<Call<'manageStartPartnerChange'>['body']>, 'status' | 'group_id' | 'from_status'>;

const ACTIONS = {
  approve: {
    label: 'Approve',
    noun: 'applications',
    from: 'applied',
    change: { status: 'active' },
    description: 'Each of them gets a first link and an email. Partners who have not applied are skipped.',
  },
  decline: {
    label: 'Decline',
    noun: 'applications',
    from: 'applied',
    change: { status: 'removed' },
    description:
      'They won’t become partners, and they get an email. Partners who have not applied are skipped. You can reactivate them later.',
  },
  remove: {
    label: 'Remove',
    noun: 'partners',
    from: 'active',
    change: { status: 'removed' },
    description:
      'They leave the program: their links stop working and they earn no new commissions. They keep the commissions they have earned. Partners who are not active are skipped.',
  },
} as const;

type BulkActionsProps = {
  programId: number;
  selection: BulkSelection<'manageStartPartnerChange'>;
  /** Those of the selected partners that are on the screen. */
  shown: Partner[];
  onDone: () => void;
};

/** Approves, declines, removes or moves the selected partners. The service works through them, also when the page is left. */
export function BulkActions({ programId, selection, shown, onDone }: BulkActionsProps) {
  const [target, setTarget] = useState<Group | null>(null);
  const [isWriting, setWriting] = useState(false);
  const groups = useApiQuery('manageGroups', { params: { program_id: programId } }).data?.data ?? [];
  const start = useApiMutation('manageStartPartnerChange', onDone);
  const close = () => {
    start.reset();
    setTarget(null);
  };
  const apply = (change: Change) =>
    start.mutate({ params: { program_id: programId }, body: { ...change, ...selection } });
  const count = 'ids' in selection ? selection.ids.length : selection.count;
  const single = useMovePartner(programId);
  const moveTo = (group: Group) => {
    const [partner] = shown;
    // One partner is moved at once, and can be moved back from the message about it.
    if (count === 1 && partner) single.move(partner, group.id, onDone);
    else setTarget(group);
  };
  // Where all of them are is no place to move them to. Of partners on other pages it is not known.
  const targets = groups.filter(({ id }) => !('ids' in selection) || shown.some((partner) => partner.group_id !== id));
  const [only] = targets;
  // Of partners on other pages it is not known what they are; those that an action is not for are skipped.
  const has = (status: Partner['status']) =>
    !('ids' in selection) || shown.some((partner) => partner.status === status);
  const choice = ({ label, noun, from, change, description }: (typeof ACTIONS)[keyof typeof ACTIONS]): BulkChoice => ({
    label,
    title: `${label} ${countOf(count, noun)}?`,
    description,
    isDanger: label !== 'Approve',
    onConfirm: () => apply({ ...change, from_status: from }),
  });
  const asking = { isBusy: start.isPending, error: start.error, onCancel: start.reset };
  return (
    <>
      <ErrorNotice error={single.error} />
      {has('applied') && <BulkChoices {...asking} choices={[choice(ACTIONS.approve), choice(ACTIONS.decline)]} />}
      {has('active') && (
        <Button size="small" onClick={() => setWriting(true)}>
          Write a message
        </Button>
      )}
      {isWriting && (
        <MessageDialog programId={programId} selection={selection} onClose={() => setWriting(false)} onDone={onDone} />
      )}
      {targets.length === 1 && only && (
        <Button size="small" isBusy={single.isPending} onClick={() => moveTo(only)}>
          Move to {only.name}
        </Button>
      )}
      {targets.length > 1 && (
        <Menu
          trigger={
            <Button size="small" isBusy={single.isPending}>
              Move to group <ChevronDown size={14} aria-hidden />
            </Button>
          }
        >
          {targets.map((group) => (
            <MenuItem key={group.id} onSelect={() => moveTo(group)}>
              {group.name}
            </MenuItem>
          ))}
        </Menu>
      )}
      {has('active') && <BulkChoices {...asking} choices={[choice(ACTIONS.remove)]} />}
      {target && (
        <ConfirmDialog
          title={`Move ${countOf(count, 'partners')} to ${target.name}?`}
          description="They stay in it until you move them again: tiers don’t move partners whom you have placed."
          confirmLabel="Move"
          variant="primary"
          isOpen
          onClose={close}
          onConfirm={() => apply({ group_id: target.id })}
          isBusy={start.isPending}
          error={start.error}
        />
      )}
    </>
  );
}
