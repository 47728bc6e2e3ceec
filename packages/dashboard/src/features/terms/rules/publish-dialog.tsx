import type { Attribution, TermsRule } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation } from '../../../api/hooks.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { type Option, TextArea, TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';

type Start = 'now' | 'date';

const STARTS: Option<Start>[] = [
  ['now', 'Immediately'],
  ['date', 'At a specific time'],
];

type PublishDialogProps = {
  programId: number;
  rules: TermsRule[];
  attribution: Attribution;
  onClose: () => void;
  onPublished: () => void;
};

/** Publishes rules that were compared with the past, from now on or from another time. */
export function PublishDialog({ programId, rules, attribution, onClose, onPublished }: PublishDialogProps) {
  const toast = useToast();
  const [start, setStart] = useState<Start>('now');
  const [from, setFrom] = useState('');
  const isPast = start === 'date' && from !== '' && Date.parse(from) < Date.now();
  const publication = useApiMutation('manageAddTerms', ({ version }) => {
    onClose();
    onPublished();
    toast(`Version ${version} of the commission rules published`);
  });
  const publish = ({ note = '' }: Record<string, string>) =>
    publication.mutate({
      params: { program_id: programId },
      body: {
        rules,
        attribution,
        ...(note.trim() && { note }),
        ...(start === 'date' && { effective_from: new Date(from).toISOString() }),
        ...(isPast && { backdate: true }),
      },
    });
  return (
    <Dialog
      title="Publish the new rules"
      description="Existing commissions never change. Payments are judged by the rules in force when they are made."
      isOpen
      onClose={onClose}
    >
      <Form error={publication.error} onSubmit={publish}>
        <SelectField label="Takes effect" options={STARTS} value={start} onValueChange={setStart} />
        {start === 'date' && (
          <TextField
            label="Start (your time zone)"
            name="effective_from"
            type="datetime-local"
            required
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            hint={isPast ? 'In the past: it counts for payments since then that are reported from now on.' : undefined}
          />
        )}
        <TextArea
          label="Note (optional)"
          name="note"
          rows={2}
          maxLength={500}
          hint="Your team sees it with the version."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={publication.isPending}>
            Publish
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
