import { useAction } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { CodeBlock } from '../../ui/forms/copy.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

type ConnectProps = { programId: number; webhookUrl: string; events: string[] };

/** The three steps that connect Stripe. */
export function ConnectProcessor({ programId, webhookUrl, events }: ConnectProps) {
  const say = useToast();
  const connecting = useAction('manageConnectProcessor', () => say('Stripe is connected'));
  const connect = ({ secret = '', account = '', sandbox }: Record<string, string>) =>
    connecting.mutate({
      params: { program_id: programId },
      body: {
        provider: 'stripe',
        ...(secret && { webhook_secret: secret }),
        ...(account && { account_id: account }),
        sandbox: sandbox === 'on',
      },
    });
  return (
    <ol className="max-w-2xl space-y-6">
      <li>
        <h3 className="mb-2 text-sm font-semibold">1. In Stripe, add a webhook endpoint with this address</h3>
        <CodeBlock text={webhookUrl} label="Copy the webhook address" />
      </li>
      <li>
        <h3 className="mb-2 text-sm font-semibold">2. Let it send these events</h3>
        <CodeBlock text={events.join('\n')} label="Copy the events" />
      </li>
      <li>
        <h3 className="mb-3 text-sm font-semibold">3. Paste its signing secret here</h3>
        <Form error={connecting.error} onSubmit={connect}>
          <TextField
            label="Signing secret"
            name="secret"
            type="password"
            autoComplete="off"
            placeholder="whsec_…"
            hint="It is kept encrypted and never shown again."
          />
          <TextField label="Account id" name="account" placeholder="acct_…" hint="Only for Stripe Connect platforms." />
          <label className="flex items-center gap-2.5 text-sm">
            <input type="checkbox" name="sandbox" className="size-4 accent-accent" />
            This is a Stripe sandbox: its test payments count as real ones
          </label>
          <Button type="submit" look="primary" isBusy={connecting.isPending}>
            Connect Stripe
          </Button>
        </Form>
      </li>
    </ol>
  );
}
