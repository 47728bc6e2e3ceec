import { Radio } from 'lucide-react';
import type { Row } from '../../../api/client.ts';
import { POLL_MS, useApiQuery } from '../../../api/hooks.ts';
import { labelOf } from '../../../rules/label.ts';
import { Badge, type Tone } from '../../../ui/feedback/badge.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { DataTable } from '../../../ui/lists/data-table.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Identifier } from '../../../ui/records/identifier.tsx';
import { Time } from '../../../ui/records/time.tsx';

type Call = Row<'managePostbackCalls'>;

/** The last calls and what became of them. */
export function PostbackCalls({ programId }: { programId: number }) {
  const calls = useApiQuery(
    'managePostbackCalls',
    { params: { joined_program_id: programId } },
    { refetchMs: POLL_MS },
  );
  return (
    <TitledCard
      title="Last calls"
      description="The last 50, newest first. Refreshes automatically while this page is open."
    >
      <QueryState query={calls} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={Radio} title="No calls yet">
              Calls appear here when something happens to one of your commissions.
            </EmptyState>
          ) : (
            <div className="-mx-5 -mb-5">
              <DataTable
                label="Calls"
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  { title: 'Event', cell: ({ event }) => labelOf(event) },
                  { title: 'URL', cell: (call) => <Called call={call} /> },
                  { title: 'Status', cell: (call) => <Badge tone={TONES[call.status]}>{outcomeOf(call)}</Badge> },
                  {
                    title: 'Time',
                    isRightAligned: true,
                    showFrom: 'medium',
                    isStacked: true,
                    cell: ({ last_attempt_at: last, created_at: created }) => <Time at={last ?? created} />,
                  },
                ]}
              />
            </div>
          )
        }
      </QueryState>
    </TitledCard>
  );
}

const TONES: Record<Call['status'], Tone> = { pending: 'warn', delivered: 'good', failed: 'bad' };

function outcomeOf({ status, last_status: answer }: Call): string {
  if (status === 'delivered') return `Arrived (${answer})`;
  if (status === 'failed') return 'Failed';
  return answer === null ? 'Waiting' : `Waiting (${answer})`;
}

/** What was called, and why it failed. */
function Called({ call }: { call: Call }) {
  const { method, url, last_error: error, next_attempt_at: next, attempts } = call;
  return (
    <>
      {url === null ? (
        <span className="text-quiet">Not called yet</span>
      ) : (
        <Identifier>{`${method} ${url}`}</Identifier>
      )}
      {error && <div className="text-caption text-bad">{error}</div>}
      {next && attempts > 0 && (
        <div className="text-caption text-quiet">
          Next attempt: <Time at={next} />
        </div>
      )}
    </>
  );
}
