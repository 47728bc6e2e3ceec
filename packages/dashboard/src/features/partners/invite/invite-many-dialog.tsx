import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Row } from '../../../api/client.ts';
import { type Invitee, inBatches, MAX_INVITEES, readInvitees } from '../../../rules/invitees.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import type { InvitedLine } from './invited-line.ts';
import { InvitedList } from './invited-list.tsx';
import { InviteesPreview } from './invitees-preview.tsx';

/** Rows of one request: even with the longest names and addresses, they fit into it. */
const BATCH = 50;
const MAX_FILE_BYTES = 500_000;

type InviteManyDialogProps = { programId: number; onClose: () => void };

/** Invites the people of a pasted list or a CSV file, after a preview that says what happens to each line. */
export function InviteManyDialog({ programId, onClose }: InviteManyDialogProps) {
  const [text, setText] = useState('');
  const queryClient = useQueryClient();
  const run = (isDryRun: boolean) => sendList(programId, readInvitees(text), isDryRun);
  const preview = useMutation({ mutationFn: () => run(true) });
  const invitation = useMutation({ mutationFn: () => run(false), onSuccess: () => queryClient.invalidateQueries() });
  const back = () => {
    preview.reset();
    invitation.reset();
  };
  if (invitation.data) return <InvitedList lines={invitation.data} onClose={onClose} />;
  if (preview.data) {
    return (
      <InviteesPreview
        lines={preview.data}
        isBusy={invitation.isPending}
        error={invitation.error}
        onBack={back}
        onInvite={() => invitation.mutate()}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      title="Invite many partners"
      description={`Paste a list or choose a CSV file with names and emails, up to ${MAX_INVITEES} people. You’ll see what happens to each line before anyone is invited.`}
      isOpen
      onClose={onClose}
    >
      <Form error={preview.error} onSubmit={() => preview.mutate()}>
        <TextArea
          label="People"
          name="partners"
          required
          rows={8}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={'Ann Lee, ann@example.com\nBob Reed, bob@example.com'}
          hint="One person per line: name and email, separated by a comma, semicolon or tab."
          className="font-mono text-caption"
        />
        <FileChooser onText={setText} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={preview.isPending}>
            Preview
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function FileChooser({ onText }: { onText: (text: string) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setFault(isTooLarge ? 'The file is too large for a list of 500 people.' : null);
    if (!isTooLarge) onText(await file.text());
  };
  return (
    <div className="text-sm">
      <label className="flex flex-wrap items-center gap-2">
        <span>Or choose a file:</span>
        <input
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={(event) => void read(event.target.files?.[0])}
          className="max-w-full text-caption text-quiet"
        />
      </label>
      <p role="alert" className="mt-1 text-caption text-bad empty:hidden">
        {fault}
      </p>
    </div>
  );
}

/** Sends the lines without a fault, some at a time, and puts the outcomes beside them. */
async function sendList(programId: number, lines: Invitee[], isDryRun: boolean): Promise<InvitedLine[]> {
  const sent = lines.filter(({ fault }) => fault === null);
  const results = new Map<number, Row<'manageInvitePartners'>>();
  for (const batch of inBatches(sent, BATCH)) {
    const partners = batch.map(({ name, email }) => ({ name, email }));
    const body = { partners, dry_run: isDryRun };
    const { data } = await call('manageInvitePartners', { params: { program_id: programId }, body });
    for (const result of data) results.set(batch[result.row]?.line ?? 0, result);
  }
  return lines.map((invitee) => ({ ...invitee, result: results.get(invitee.line) ?? null }));
}
