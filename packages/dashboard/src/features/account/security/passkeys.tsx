import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Data } from '../../../api/client.ts';
import { addPasskey, hasPasskeySupport, removePasskey, renamePasskey } from '../../../api/second-factors.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../../ui/forms/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/records/time.tsx';
import { useFactorsChanged } from './factors-changed.ts';

type Passkey = Data<'manageSecondFactors'>['passkeys'][number];

/** The account’s passkeys: add, rename and remove them. */
export function Passkeys({
  factors: { passkeys, authenticator_app: hasApp },
}: {
  factors: Data<'manageSecondFactors'>;
}) {
  const [isAdding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  return (
    <TitledCard
      title="Passkeys"
      description="Sign in with a fingerprint, your face or a PIN, without a password."
      action={
        hasPasskeySupport() && (
          <Button size="small" onClick={() => setAdding(true)}>
            <Plus size={15} aria-hidden /> Add a passkey
          </Button>
        )
      }
    >
      {passkeys.length === 0 ? (
        <p className="text-sm text-quiet">
          {hasPasskeySupport() ? 'No passkeys yet.' : 'No passkeys yet, and this browser does not support them.'}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenaming(passkey)}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      {passkeys.length > 0 && !hasApp && (
        <p className="mt-3 text-caption text-quiet">
          Set up an authenticator app too: with its recovery codes you can still sign in if you lose your passkey.
        </p>
      )}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing && <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />}
    </TitledCard>
  );
}

type PasskeyItemProps = { passkey: Passkey; onRename: () => void; onRemove: () => void };

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps) {
  const { name, created_at: created, last_used_at: lastUsed } = passkey;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 text-sm">
      <div className="min-w-0">
        <div className="truncate font-medium">{name}</div>
        <div className="text-caption text-quiet">
          {created && (
            <>
              Added <Time at={created} />,{' '}
            </>
          )}
          {lastUsed ? (
            <>
              last used <Time at={lastUsed} isRelative />
            </>
          ) : (
            'never used'
          )}
        </div>
      </div>
      <span className="ml-auto flex gap-1">
        <Button size="small" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button size="small" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </span>
    </li>
  );
}

/** Changes the passkeys, says so, and closes the dialog. */
function useChange<Value>(
  change: (value: Value) => Promise<void>,
  done: string,
  onClose: () => void,
): UseMutationResult<void, Error, Value> {
  const toast = useToast();
  const refresh = useFactorsChanged();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      toast(done);
      onClose();
      await refresh();
    },
  });
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const addition = useChange(addPasskey, 'Passkey added', onClose);
  return (
    <Dialog
      title="Add a passkey"
      description="Your browser asks where to keep it: on this device, on your phone or on a security key."
      isOpen
      onClose={onClose}
    >
      <NameForm
        name=""
        submitLabel="Continue"
        isBusy={addition.isPending}
        error={addition.error}
        onSubmit={(name) => addition.mutate(name)}
        onClose={onClose}
      />
    </Dialog>
  );
}

function RenameDialog({ passkey: { id, name: current }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useChange((name: string) => renamePasskey(id, name), 'Passkey renamed', onClose);
  return (
    <Dialog title={`Rename “${current}”`} isOpen onClose={onClose}>
      <NameForm
        name={current}
        submitLabel="Save"
        isBusy={rename.isPending}
        error={rename.error}
        onSubmit={(name) => rename.mutate(name)}
        onClose={onClose}
      />
    </Dialog>
  );
}

type NameFormProps = {
  name: string;
  submitLabel: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit: (name: string) => void;
  onClose: () => void;
};

function NameForm({ name, submitLabel, isBusy, error, onSubmit, onClose }: NameFormProps) {
  return (
    <Form error={error} onSubmit={(values) => onSubmit(values.name ?? '')}>
      <TextField
        label="Name"
        name="name"
        defaultValue={name}
        required
        maxLength={60}
        autoFocus
        hint="So that you can tell your passkeys apart, such as “Work laptop”."
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {submitLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const removal = useChange(() => removePasskey(id), 'Passkey removed', onClose);
  return (
    <ConfirmDialog
      title={`Remove the passkey “${name}”?`}
      description="You can no longer sign in with it. Also delete it on your device, which still offers it otherwise."
      confirmLabel="Remove"
      isOpen
      onClose={onClose}
      onConfirm={() => removal.mutate(undefined)}
      isBusy={removal.isPending}
      error={removal.error}
    />
  );
}
