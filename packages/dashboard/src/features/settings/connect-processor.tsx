import type { ReactNode } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { settings } from '../../api/settings.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type ConnectProcessorProps = { programId: number; webhookUrl: string; events: string[] };

/** The steps to connect Stripe. */
export function ConnectProcessor({ programId, webhookUrl, events }: ConnectProcessorProps) {
  return (
    <ol className="max-w-2xl space-y-6">
      <Step title="1. Add a webhook endpoint with this URL in Stripe">
        <CodeBlock text={webhookUrl} label="Copy webhook URL" />
      </Step>
      <Step title="2. Select these events">
        <CodeBlock text={events.join('\n')} label="Copy events" />
      </Step>
      <Step title="3. Add metadata to your checkout">
        <p className="text-sm text-quiet">
          Stripe must know which customer paid: see{' '}
          <a href={`${settings.base_url}/docs/payments`} className="text-accent underline">
            which metadata to add
          </a>
          .
        </p>
      </Step>
      <Step title="4. Enter the endpoint’s signing secret">
        <ConnectForm programId={programId} />
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

function ConnectForm({ programId }: { programId: number }) {
  const toast = useToast();
  const connection = useApiMutation('manageConnectProcessor', () => toast('Stripe connected'));
  const connect = ({ secret = '', account = '', sandbox }: Record<string, string>) =>
    connection.mutate({
      params: { program_id: programId },
      body: {
        provider: 'stripe',
        ...(secret && { webhook_secret: secret }),
        ...(account && { account_id: account }),
        sandbox: sandbox === 'on',
      },
    });
  return (
    <Form error={connection.error} onSubmit={connect}>
      <TextField
        label="Signing secret"
        name="secret"
        type="password"
        autoComplete="off"
        placeholder="whsec_…"
        hint="Stored encrypted and never shown again."
      />
      <TextField label="Account ID" name="account" placeholder="acct_…" hint="Only for Stripe Connect platforms." />
      <label className="flex items-center gap-2.5 text-sm">
        <input type="checkbox" name="sandbox" className="size-4 accent-accent" />
        This is a Stripe sandbox. Record its test payments as real sales.
      </label>
      <Button type="submit" variant="primary" isBusy={connection.isPending}>
        Connect Stripe
      </Button>
    </Form>
  );
}
