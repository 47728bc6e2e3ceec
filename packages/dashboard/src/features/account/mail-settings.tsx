import { OPTIONAL_MAILS } from '@svc/contract';
import { useState } from 'react';
import type { ApiError, Data } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';

/** Which kinds of mail the person gets. */
export function MailSettings() {
  const mail = useApiQuery('manageMailSettings');
  return (
    <TitledCard
      title="Email notifications"
      description="Emails about access to your account and your API keys are always sent."
    >
      <QueryState query={mail} lines={4}>
        {({ data }) => (data.sends_mail ? <Kinds kinds={data.kinds} /> : <NoMail />)}
      </QueryState>
    </TitledCard>
  );
}

function NoMail() {
  return <Notice>This installation doesn’t send email. You’ll find links and news on these pages only.</Notice>;
}

type Kind = Data<'manageMailSettings'>['kinds'][number]['kind'];

function Kinds({ kinds }: Pick<Data<'manageMailSettings'>, 'kinds'>) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateMailSettings');
  // The boxes show a choice at once. A mutation says that it is pending only after the event, and until then React
  // would put the box back, so the choice is state of our own.
  const [chosen, setChosen] = useState<Partial<Record<Kind, { on: boolean }>>>({});
  const change = async (kind: Kind, choice: { on: boolean }) => {
    setChosen((before) => ({ ...before, [kind]: choice }));
    try {
      await update.mutateAsync({ body: { kind, on: choice.on } });
    } catch (error) {
      toast((error as ApiError).message, 'bad');
    }
    setChosen((before) => (before[kind] === choice ? { ...before, [kind]: undefined } : before));
  };
  return (
    <ul className="space-y-2">
      {kinds.map(({ kind, on }) => (
        <li key={kind}>
          <label className="flex min-h-6 items-start gap-2.5 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={chosen[kind]?.on ?? on}
              onChange={(event) => void change(kind, { on: event.target.checked })}
            />
            {OPTIONAL_MAILS[kind]}
          </label>
        </li>
      ))}
    </ul>
  );
}
