import type { ReactNode } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { type Connection, PROCESSOR_WORDS } from './processor-words.ts';
import { SecretFields, secretParts } from './secret-fields.tsx';

type ConnectProcessorProps = { programId: number; connection: Connection };

/** The steps to connect a payment processor. */
export function ConnectProcessor({ programId, connection }: ConnectProcessorProps) {
  const { title, endpoint, data } = PROCESSOR_WORDS[connection.provider];
  return (
    <ol className="max-w-2xl space-y-6">
      <Step title={`1. Add a ${endpoint} with this URL in ${title}`}>
        <CodeBlock text={connection.webhook_url} label="Copy webhook URL" />
      </Step>
      <Step title="2. Select these events">
        <CodeBlock text={connection.events.join('\n')} label="Copy events" />
      </Step>
      <Step title={`3. Add ${data} to your checkout`}>
        <p className="text-sm text-quiet">
          {title} must know which customer paid: see{' '}
          <a href={`${settings.base_url}/docs/payments`} className="text-accent underline">
            which {data} to add
          </a>
          .
        </p>
      </Step>
      <Step title={`4. Enter the signing secret of the ${endpoint}`}>
        <ConnectForm programId={programId} connection={connection} />
      </Step>
    </ol>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </li>
  );
}

function ConnectForm({ programId, connection }: ConnectProcessorProps) {
  const { provider, title } = connection;
  const toast = useToast();
  const connecting = useApiMutation('manageConnectProcessor', () => toast(`${title} connected`));
  const connect = ({ secret = '', account = '', sandbox, ...fields }: Record<string, string>) =>
    connecting.mutate({
      params: { program_id: programId },
      body: {
        provider,
        ...(secret && { webhook_secret: secret }),
        ...secretParts(fields),
        ...(account && { account_id: account }),
        sandbox: sandbox === 'on',
      },
    });
  return (
    <Form error={connecting.error} onSubmit={connect}>
      <SecretFields connection={connection} />
      {provider === 'stripe' && (
        <TextField label="Account ID" name="account" placeholder="acct_…" hint="Only for Stripe Connect platforms." />
      )}
      <label className="flex items-center gap-2.5 text-sm">
        <input type="checkbox" name="sandbox" className="size-4 accent-accent" />
        This is a staging system. Record test payments as real sales.
      </label>
      <Button type="submit" variant="primary" isBusy={connecting.isPending}>
        Connect {title}
      </Button>
    </Form>
  );
}
