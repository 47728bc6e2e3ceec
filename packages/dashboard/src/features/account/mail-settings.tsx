import { OPTIONAL_MAILS } from '@svc/contract';
import type { Data } from '../../api/client.ts';
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

function Kinds({ kinds }: Pick<Data<'manageMailSettings'>, 'kinds'>) {
  const toast = useToast();
  const update = useApiMutation('manageUpdateMailSettings');
  const change = (kind: (typeof kinds)[number]['kind'], on: boolean) =>
    update.mutate({ body: { kind, on } }, { onError: (error) => toast(error.message, 'bad') });
  // A box shows the choice at once, and not only after the reply.
  const chosen = update.isPending ? update.variables.body : undefined;
  return (
    <ul className="space-y-2">
      {kinds.map(({ kind, on }) => (
        <li key={kind}>
          <label className="flex min-h-6 items-start gap-2.5 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={chosen?.kind === kind ? chosen.on : on}
              onChange={(event) => change(kind, event.target.checked)}
            />
            {OPTIONAL_MAILS[kind]}
          </label>
        </li>
      ))}
    </ul>
  );
}
