import { useState } from 'react';
import { useApiMutation } from '../../api/hooks.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/forms/dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Identifier } from '../../ui/records/identifier.tsx';
import { Time } from '../../ui/records/time.tsx';
import { type Connection, PROCESSOR_WORDS } from './processor-words.ts';
import { SecretFields, secretParts } from './secret-fields.tsx';

type Secret = Connection['secrets'][number];
type SecretsProps = { programId: number; connection: Connection };

/** The signing secrets of a connection. They can be added and removed while events keep arriving. */
export function ProcessorSecrets({ programId, connection }: SecretsProps) {
  const [removing, setRemoving] = useState<Secret | null>(null);
  return (
    <div className="space-y-4">
      <p className="text-sm">
        An event is accepted if it is signed with any of these. Add one for tests, or the new one while you roll a
        secret.
      </p>
      <Mismatches connection={connection} />
      <LateRequests connection={connection} />
      <ul aria-label="Signing secrets" className="divide-y divide-line">
        {connection.secrets.map((secret) => (
          <SecretItem key={secret.id} secret={secret} onRemove={() => setRemoving(secret)} />
        ))}
      </ul>
      <AddSecret programId={programId} connection={connection} />
      {removing && <RemoveSecret programId={programId} secret={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
}

/** Requests that were refused, if there were any since a secret was added. */
function Mismatches({ connection: { provider, signature_mismatches: mismatches } }: { connection: Connection }) {
  if (!mismatches) return null;
  const { count, last_at: lastAt } = mismatches;
  return (
    <Notice tone="warn">
      {count === 1 ? '1 request' : `${count} requests`} had a signature that matches none of your signing secrets, the
      last one <Time at={lastAt} isRelative />. Check that the secret is the one of this{' '}
      {PROCESSOR_WORDS[provider].endpoint}.
    </Notice>
  );
}

/** Requests that came too late, if there were any since a secret was added. */
function LateRequests({ connection: { signatures_too_old: late } }: { connection: Connection }) {
  if (!late) return null;
  const { count, last_at: lastAt } = late;
  return (
    <Notice tone="warn">
      {count === 1 ? '1 request' : `${count} requests`} arrived more than five minutes after being signed, the last one{' '}
      <Time at={lastAt} isRelative />. Your signing secret is right. The server is busy, or its clock is ahead.
    </Notice>
  );
}

function SecretItem({ secret, onRemove }: { secret: Secret; onRemove: () => void }) {
  const { label, last_four: lastFour, test_mode: isTest, created_at: created, last_used_at: lastUsed } = secret;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 text-sm">
      <div className="min-w-0">
        <div className="flex items-center gap-2 font-medium">
          <Identifier>{`…${lastFour}`}</Identifier>
          {label && <span className="truncate">{label}</span>}
          {isTest && <Badge tone="neutral">Sandbox</Badge>}
        </div>
        <div className="text-caption text-quiet">
          Added <Time at={created} />,{' '}
          {lastUsed ? (
            <>
              last used <Time at={lastUsed} isRelative />
            </>
          ) : (
            'never used'
          )}
        </div>
      </div>
      <Button size="small" className="ml-auto" aria-label={`Remove …${lastFour}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

function AddSecret({ programId, connection }: SecretsProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const addition = useApiMutation('manageAddProcessorSecret', () => {
    setOpen(false);
    toast('Signing secret added');
  });
  const add = ({ webhook_secret: secret = '', ...fields }: Record<string, string>) =>
    addition.mutate({
      params: { program_id: programId },
      body: { provider: connection.provider, webhook_secret: secret, ...secretParts(fields) },
    });
  const close = () => {
    setOpen(false);
    addition.reset();
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add secret</Button>
      <Dialog title="Add a signing secret" description="The stored ones stay valid." isOpen={isOpen} onClose={close}>
        <Form error={addition.error} onSubmit={add}>
          <SecretFields connection={connection} />
          <Button type="submit" variant="primary" isBusy={addition.isPending}>
            Add
          </Button>
        </Form>
      </Dialog>
    </>
  );
}

function RemoveSecret({ programId, secret, onClose }: { programId: number; secret: Secret; onClose: () => void }) {
  const toast = useToast();
  const removal = useApiMutation('manageRemoveProcessorSecret', () => {
    onClose();
    toast('Signing secret removed');
  });
  const params = { program_id: programId, processor_secret_id: secret.id };
  return (
    <ConfirmDialog
      title={`Remove the secret …${secret.last_four}?`}
      description="Events signed with it are rejected from then on."
      confirmLabel="Remove"
      isOpen
      onClose={onClose}
      onConfirm={() => removal.mutate({ params })}
      isBusy={removal.isPending}
      error={removal.error}
    />
  );
}
