import type { ProcessorName } from '@svc/contract';
import { useState } from 'react';
import { POLL_MS, useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import type { Option } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { ProcessorCard } from './processor-card.tsx';
import { PROCESSOR_WORDS } from './processor-words.ts';

const OPTIONS: Option<ProcessorName>[] = [
  ['stripe', PROCESSOR_WORDS.stripe.title],
  ['paddle', PROCESSOR_WORDS.paddle.title],
];

/** The payment processors: how to connect one, and whether its events arrive. */
export function Processor({ programId, isOwner }: { programId: number; isOwner: boolean }) {
  const [chosen, setChosen] = useState<ProcessorName | null>(null);
  const stripe = useConnection(programId, 'stripe', isOwner);
  const paddle = useConnection(programId, 'paddle', isOwner);
  if (!isOwner) return <Notice>Only workspace owners can connect a payment processor.</Notice>;
  const isConnected = { stripe: isOn(stripe), paddle: isOn(paddle) };
  const shown = chosen ?? (isConnected.paddle && !isConnected.stripe ? 'paddle' : 'stripe');
  return (
    <>
      <div className="max-w-60">
        <SelectField label="Payment processor" options={OPTIONS} value={shown} onValueChange={setChosen} />
      </div>
      <QueryState query={shown === 'stripe' ? stripe : paddle}>
        {({ data }) => <ProcessorCard key={shown} programId={programId} connection={data} />}
      </QueryState>
    </>
  );
}

function useConnection(programId: number, provider: ProcessorName, enabled: boolean) {
  const request = { params: { program_id: programId }, query: { provider } };
  return useApiQuery('manageProcessor', request, { enabled, refetchMs: POLL_MS });
}

const isOn = ({ data: reply }: ReturnType<typeof useConnection>) => reply?.data.status === 'connected';
