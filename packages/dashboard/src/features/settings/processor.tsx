import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { useState } from 'react';
import { POLL_MS, useApiQueries, useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { ProcessorCard } from './processor-card.tsx';
import { PROCESSOR_WORDS } from './processor-words.ts';

const OPTIONS = PROCESSORS.map((name): Option<ProcessorName> => [name, PROCESSOR_WORDS[name].option]);

/** The payment processors: how to connect one, and whether its events arrive. */
export function Processor({ programId, isOwner }: { programId: number; isOwner: boolean }) {
  const [chosen, setChosen] = useState<ProcessorName | null>(null);
  const requestOf = (provider: ProcessorName) => ({ params: { program_id: programId }, query: { provider } });
  const all = useApiQueries('manageProcessor', PROCESSORS.map(requestOf), { enabled: isOwner });
  const connected = all.find(({ data: reply }) => reply?.data.status === 'connected')?.data?.data.provider;
  const shown = chosen ?? connected ?? 'stripe';
  // Only this one is asked again and again.
  const connection = useApiQuery('manageProcessor', requestOf(shown), {
    enabled: isOwner,
    refetchMs: POLL_MS,
    keepPrevious: false,
  });
  if (!isOwner) return <Notice>Only workspace owners can connect a payment processor.</Notice>;
  return (
    <>
      <div className="max-w-60">
        <SelectField label="Payment processor" options={OPTIONS} value={shown} onValueChange={setChosen} />
      </div>
      <QueryState query={connection}>
        {({ data }) => <ProcessorCard key={shown} programId={programId} connection={data} />}
      </QueryState>
    </>
  );
}
