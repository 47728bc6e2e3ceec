import { Link, useSearch } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import type { Row } from '../../api/client.ts';
import { useApiQuery } from '../../api/hooks.ts';
import { outcomeInWords, resultInWords } from '../../rules/message.ts';
import { listQuery } from '../../rules/search.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { Button, buttonClass } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { useProgramId } from '../../ui/layout/program-id.ts';
import { BulkProgress } from '../../ui/lists/bulk-progress.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { EmptyList } from '../../ui/lists/empty-state.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { usePageSize } from '../../ui/lists/page-size.ts';
import { Time } from '../../ui/records/time.tsx';

type Message = Row<'manageMessages'>;

/** What the brand has written to its partners, and who got it. */
export function Page() {
  const programId = useProgramId();
  const { cursor } = listQuery(useSearch({ from: '/app/programs/$programId/messages' }));
  const [limit] = usePageSize();
  const [shown, setShown] = useState<Message | null>(null);
  const messages = useApiQuery('manageMessages', { params: { program_id: programId }, query: { cursor, limit } });
  return (
    <>
      <ListPage
        title="Messages"
        description="What you wrote to your partners. To write, select partners in their list."
        query={messages}
        rowKey={({ id }) => id}
        hasPageSize
        columns={[
          {
            title: 'Message',
            cell: ({ subject, text }) => (
              <span className="block max-w-md">
                <span className="block font-medium wrap-anywhere">{subject}</span>
                <span className="line-clamp-1 text-caption text-quiet wrap-anywhere">{text}</span>
              </span>
            ),
          },
          {
            title: 'Result',
            showFrom: 'medium',
            isStacked: true,
            cell: ({ outcomes }) => resultInWords(outcomes),
          },
          { title: 'Sent by', showFrom: 'wide', cell: ({ sent_by: name }) => name ?? 'A former user' },
          { title: 'Sent', showFrom: 'medium', isStacked: true, cell: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Actions',
            isTitleHidden: true,
            isRightAligned: true,
            cell: (message) => (
              <Button size="small" onClick={() => setShown(message)}>
                Details<span className="sr-only"> of {message.subject}</span>
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyList
            icon={Mail}
            noun="messages"
            isFiltered={false}
            action={
              <Link to="/app/programs/$programId/partners" params={{ programId }} className={buttonClass()}>
                View partners
              </Link>
            }
          >
            Select partners in their list and choose “Write a message”.
          </EmptyList>
        }
      />
      <BulkProgress programId={programId} kinds={['message_partners']} />
      {shown && <Details programId={programId} message={shown} onClose={() => setShown(null)} />}
    </>
  );
}

const MAX_ROWS = 100;

function Details({ programId, message, onClose }: { programId: number; message: Message; onClose: () => void }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const recipients = useApiQuery('manageMessageRecipients', {
    params: { program_id: programId, message_id: message.id },
    query: { limit: MAX_ROWS, cursor: cursors.at(-1) },
  });
  const next = recipients.data?.meta.next_cursor ?? null;
  return (
    <Dialog title={message.subject} description={resultInWords(message.outcomes)} isOpen onClose={onClose}>
      <p className="mb-4 max-h-48 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">{message.text}</p>
      <QueryState query={recipients} lines={4}>
        {({ data }) => (
          <DataTable
            label="Recipients"
            rows={data}
            rowKey={({ partner_id: id }) => id}
            columns={[
              { title: 'Partner', cell: ({ partner_name: name }) => name },
              { title: 'Result', cell: ({ outcome }) => outcomeInWords(outcome) },
            ]}
          />
        )}
      </QueryState>
      {(cursors.length > 0 || next) && (
        <div className="flex justify-end gap-2 pt-3">
          <Button size="small" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            Previous
          </Button>
          <Button
            size="small"
            disabled={!next}
            // What comes after the next page is only known once that page is there.
            isBusy={recipients.isPlaceholderData}
            onClick={() => next && setCursors([...cursors, next])}
          >
            Next
          </Button>
        </div>
      )}
    </Dialog>
  );
}
