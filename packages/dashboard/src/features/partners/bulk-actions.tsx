import { useState } from 'react';
import type { BulkSelection } from '../../api/bulk.ts';
import type { Call, Row } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { type BulkChoice, BulkChoices } from '../../ui/lists/bulk-choices.tsx';

type Partner = Row<'managePartners'>;
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
  const [isMoving, setMoving] = useState(false);
  const groups = useApiQuery('manageGroups', { params: { program_id: programId } }).data?.data ?? [];
  const start = useApiMutation('manageStartPartnerChange', onDone);
  const close = () => {
    start.reset();
    setMoving(false);
  };
  const apply = (change: Change) =>
    start.mutate({ params: { program_id: programId }, body: { ...change, ...selection } });
  const count = 'ids' in selection ? selection.ids.length : selection.count;
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
      {has('applied') && <BulkChoices {...asking} choices={[choice(ACTIONS.approve), choice(ACTIONS.decline)]} />}
      {groups.length > 1 && (
        <Button size="small" onClick={() => setMoving(true)}>
          Move to group
        </Button>
      )}
      {has('active') && <BulkChoices {...asking} choices={[choice(ACTIONS.remove)]} />}
      {isMoving && (
        <Dialog
          title={`Move ${countOf(count, 'partners')} to a group`}
          description="They stay in it until you move them again: tiers don’t move partners whom you have placed."
          isOpen
          onClose={close}
        >
          <Form error={start.error} onSubmit={({ group = '' }) => apply({ group_id: Number(group) })}>
            <SelectField
              label="Group"
              name="group"
              required
              options={groups.map(({ id, name }) => [String(id), name] as const)}
              defaultValue={String(groups[0]?.id)}
            />
            <DialogActions>
              <Button onClick={close}>Cancel</Button>
              <Button type="submit" variant="primary" isBusy={start.isPending}>
                Move
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </>
  );
}
