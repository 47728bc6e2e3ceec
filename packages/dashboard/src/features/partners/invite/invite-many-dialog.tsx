import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useApiMutation } from '../../../api/hooks.ts';
import { type Invitee, MAX_INVITEES, readInvitees } from '../../../rules/invitees.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import type { InvitedLine } from './invited-line.ts';
import { InviteesPreview } from './invitees-preview.tsx';

const MAX_FILE_BYTES = 500_000;

type InviteManyDialogProps = {
  programId: number;
  onClose: () => void;
  /** Called with the bulk action that invites them. */
  onStarted: (bulkActionId: number) => void;
};

/**
 * Invites the people of a pasted list or a CSV file, after a preview that says what happens to each line. The service works through
 * them, also when the page is left.
 */
export function InviteManyDialog({ programId, onClose, onStarted }: InviteManyDialogProps) {
  const [text, setText] = useState('');
  const params = { program_id: programId };
  const preview = useMutation({ mutationFn: () => previewList(programId, readInvitees(text)) });
  const invitation = useApiMutation('manageStartInviting', ({ id }) => onStarted(id));
  const back = () => {
    preview.reset();
    invitation.reset();
  };
  if (preview.data) {
    return (
      <InviteesPreview
        lines={preview.data}
        isBusy={invitation.isPending}
        error={invitation.error}
        onBack={back}
        onInvite={() => invitation.mutate({ params, body: { partners: peopleIn(readInvitees(text)) } })}
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

const peopleIn = (lines: Invitee[]) =>
  lines.flatMap(({ name, email, fault }) => (fault === null ? [{ name, email }] : []));

/** What would become of each line. Those with a fault are not sent. */
async function previewList(programId: number, lines: Invitee[]): Promise<InvitedLine[]> {
  const partners = peopleIn(lines);
  const request = { params: { program_id: programId }, body: { partners, dry_run: true } };
  const results = partners.length === 0 ? [] : (await call('manageInvitePartners', request)).data;
  const sent = lines.filter(({ fault }) => fault === null);
  const resultOf = new Map(sent.map(({ line }, index) => [line, results[index]]));
  return lines.map(({ fault, ...line }) => {
    const { outcome, message } = resultOf.get(line.line) ?? { outcome: 'refused', message: fault };
    return { ...line, outcome, reason: message };
  });
}
