import { useApiMutation } from '../../api/hooks.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { Connection } from './processor-words.ts';
import { SecretFields, secretParts } from './secret-fields.tsx';

/** Connects a payment processor with its first signing secret. */
export function ConnectForm({ programId, connection }: { programId: number; connection: Connection }) {
  const { provider, title } = connection;
  const toast = useToast();
  const connecting = useApiMutation('manageConnectProcessor', () => toast(`${title} connected`));
  const connect = ({ webhook_secret: secret, account_id: account, sandbox, ...fields }: Record<string, string>) =>
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
        <TextField
          label="Account ID"
          name="account_id"
          placeholder="acct_…"
          hint="Only for Stripe Connect platforms."
        />
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
