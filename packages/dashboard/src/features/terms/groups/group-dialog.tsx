import type { GroupTier } from '@svc/contract';
import { useState } from 'react';
import type { Row } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { formatUnits, parseUnits, stepOf } from '../../../rules/money.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { type Option, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';

type Group = Row<'manageGroups'>;
type Measure = '' | GroupTier['of'];

const MEASURES: Option<Measure>[] = [
  ['', 'By hand'],
  ['revenue', 'By confirmed revenue'],
  ['sales', 'By confirmed sales'],
];
const PERIODS: Option<GroupTier['in']>[] = [
  ['month', 'In a month'],
  ['lifetime', 'Altogether'],
];

type GroupDialogProps = {
  programId: number;
  currency: string;
  group?: Group;
  onCreated?: () => void;
  onClose: () => void;
};

/** Creates a group, or changes its name and its tier. */
export function GroupDialog({ programId, currency, group, onCreated, onClose }: GroupDialogProps) {
  const toast = useToast();
  const [measure, setMeasure] = useState<Measure>(group?.tier?.of ?? '');
  const [period, setPeriod] = useState<GroupTier['in']>(group?.tier?.in ?? 'month');
  const creation = useApiMutation('manageAddGroup', ({ name }) => {
    onClose();
    onCreated?.();
    toast(`Group ${name} created`);
  });
  const update = useApiMutation('manageUpdateGroup', () => {
    onClose();
    toast('Changes saved');
  });
  const save = ({ name = '', at_least = '' }: Record<string, string>) => {
    const least = measure === 'revenue' ? parseUnits(at_least, currency) : Number(at_least);
    const tier = measure === '' ? null : { of: measure, in: period, at_least: least };
    if (!group) creation.mutate({ params: { program_id: programId }, body: { name, ...(tier && { tier }) } });
    else {
      const changes = { name, ...(!group.is_default && { tier }) };
      update.mutate({ params: { program_id: programId, group_id: group.id }, body: changes });
    }
  };
  return (
    <Dialog
      title={group ? `Edit ${group.name}` : 'New group'}
      description={group ? 'Published versions of the rules keep the name they were made with.' : undefined}
      isOpen
      onClose={onClose}
    >
      <Form error={creation.error ?? update.error} onSubmit={save}>
        <TextField label="Name" name="name" required maxLength={100} defaultValue={group?.name} placeholder="Gold" />
        {!group?.is_default && (
          <SelectField
            label="Partners move in"
            name="tier"
            options={MEASURES}
            value={measure}
            onValueChange={setMeasure}
            hint={measure && 'Counted up to the end of the day before. Partners you moved by hand stay where they are.'}
          />
        )}
        {measure !== '' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              key={measure}
              label={measure === 'revenue' ? `From (${currency})` : 'From (sales)'}
              name="at_least"
              type="number"
              required
              min={measure === 'revenue' ? stepOf(currency) : '1'}
              step={measure === 'revenue' ? stepOf(currency) : '1'}
              defaultValue={thresholdOf(group?.tier, measure, currency)}
            />
            <SelectField label="Counted" options={PERIODS} value={period} onValueChange={setPeriod} />
          </div>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={creation.isPending || update.isPending}>
            {group ? 'Save changes' : 'Create group'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** The threshold as people type it, unless another thing is counted now. */
function thresholdOf(tier: Group['tier'] | undefined, measure: Measure, currency: string): string | undefined {
  if (!tier || tier.of !== measure) return undefined;
  return measure === 'revenue' ? formatUnits(tier.at_least, currency) : String(tier.at_least);
}
