import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../../ui/forms/dialog.tsx';
import { TextArea } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Allowed } from '../../../ui/layout/allowed.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';

const MAX_LENGTH = 2_000;

/** Notes of the team about a partner. */
export function Notes({ programId, partnerId }: { programId: number; partnerId: number }) {
  const toast = useToast();
  const [text, setText] = useState('');
  const params = { program_id: programId, partner_id: partnerId };
  const notes = useApiQuery('managePartnerNotes', { params });
  const addition = useApiMutation('manageAddPartnerNote', () => setText(''));
  const [deleted, setDeleted] = useState<number | null>(null);
  const deletion = useApiMutation('manageDeletePartnerNote', () => {
    toast('Note deleted');
    setDeleted(null);
  });
  const keep = () => {
    deletion.reset();
    setDeleted(null);
  };
  return (
    <TitledCard title="Notes" description="Only your team sees them.">
      <Allowed route="manageAddPartnerNote" to="write notes">
        <Form error={addition.error} onSubmit={() => addition.mutate({ params, body: { text } })}>
          <TextArea
            label="New note"
            isLabelHidden
            name="text"
            required
            rows={2}
            maxLength={MAX_LENGTH}
            placeholder="Write a note"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" size="small" disabled={text.trim() === ''} isBusy={addition.isPending}>
            Add note
          </Button>
        </Form>
      </Allowed>
      <QueryState query={notes} lines={2}>
        {({ data }) => (
          <ul className="mt-4 space-y-4 empty:hidden">
            {data.map(({ id, text: written, author, created_at: at }) => (
              <li key={id} className="flex gap-2 text-sm">
                <div className="min-w-0 flex-1">
                  <p className="break-words whitespace-pre-line">{written}</p>
                  <p className="mt-0.5 text-caption text-quiet">
                    {author ?? 'A former member'}, <Time at={at} />
                  </p>
                </div>
                <Allowed route="manageDeletePartnerNote">
                  <Button
                    size="small"
                    variant="ghost"
                    aria-label={`Delete note: ${written.slice(0, 40)}`}
                    title="Delete note"
                    onClick={() => setDeleted(id)}
                  >
                    <Trash2 size={15} aria-hidden />
                  </Button>
                </Allowed>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <ConfirmDialog
        title="Delete this note?"
        description="Your team will no longer see it. This can’t be undone."
        confirmLabel="Delete note"
        isOpen={deleted !== null}
        onClose={keep}
        onConfirm={() => deleted !== null && deletion.mutate({ params: { ...params, note_id: deleted } })}
        isBusy={deletion.isPending}
        error={deletion.error}
      />
    </TitledCard>
  );
}
