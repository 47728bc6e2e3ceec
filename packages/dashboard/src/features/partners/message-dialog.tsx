import { MAX_MESSAGE_CHARS, MAX_SUBJECT_CHARS } from '@svc/contract';
import { useState } from 'react';
import type { BulkSelection } from '../../api/bulk.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { countOf } from '../../rules/bulk.ts';
import { previewOf } from '../../rules/message.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { TextArea, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type MessageDialogProps = {
  programId: number;
  selection: BulkSelection<'manageStartMessage'>;
  onClose: () => void;
  onDone: () => void;
};

/** Writes to the selected partners. The service sends it, also when the page is left. */
export function MessageDialog({ programId, selection, onClose, onDone }: MessageDialogProps) {
  const toast = useToast();
  const params = { program_id: programId };
  const [subject, setSubject] = useState('');
  const [text, setText] = useState('');
  const program = useApiQuery('manageProgram', { params }).data?.data;
  const count = 'ids' in selection ? selection.ids.length : selection.count;
  const start = useApiMutation('manageStartMessage', () => {
    onClose();
    onDone();
  });
  const test = useApiMutation('manageTestMessage', ({ sent_to: address }) => toast(`Test sent to ${address}`));
  const someone = { name: 'Jane Partner', link: `https://${program?.domain ?? 'example.com'}/?aff=your-link` };
  return (
    <Dialog
      title={`Write to ${countOf(count, 'partners')}`}
      description="Only partners who have joined and confirmed their email address get it. They can unsubscribe with one click."
      isOpen
      onClose={onClose}
    >
      <Form error={start.error} onSubmit={() => start.mutate({ params, body: { subject, text, ...selection } })}>
        <TextField
          label="Subject"
          name="subject"
          required
          maxLength={MAX_SUBJECT_CHARS}
          value={subject}
          onChange={(event) => setSubject(event.target.value)}
        />
        <TextArea
          label="Message"
          name="text"
          required
          rows={8}
          maxLength={MAX_MESSAGE_CHARS}
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint="Plain text. {name} becomes the partner’s name and {link} their link; other web addresses are refused."
        />
        {(subject || text) && (
          <section aria-label="Preview" className="rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
            <p className="mb-2 text-caption text-quiet">Preview</p>
            <p className="font-medium wrap-anywhere">{previewOf(subject, someone)}</p>
            <p className="mt-2 max-h-48 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
              {previewOf(text, someone)}
            </p>
          </section>
        )}
        <ErrorNotice error={test.error} />
        <DialogActions>
          <Button
            isBusy={test.isPending}
            disabled={!subject.trim() || !text.trim()}
            onClick={() => test.mutate({ params, body: { subject, text } })}
          >
            Send me a test
          </Button>
          <Button type="submit" variant="primary" isBusy={start.isPending}>
            Send
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
