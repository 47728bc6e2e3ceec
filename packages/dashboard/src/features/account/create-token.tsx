import type { TokenScope } from '@svc/contract';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog, DialogActions } from '../../ui/forms/dialog.tsx';
import { type Option, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SecretDialog } from '../../ui/forms/secret-dialog.tsx';
import { SelectField } from '../../ui/forms/select.tsx';

const SCOPES: readonly Option[] = [
  ['read', 'Read only'],
  ['write', 'Read and make changes'],
];
/** Reporting events is as good as having a program key, which is for owners too. */
const OWNER_SCOPES: readonly Option[] = [
  ['track', 'Report events only'],
  ['read track', 'Read and report events'],
  ['write track', 'Read, make changes and report events'],
];
const DAYS: readonly Option[] = [
  ['90', '90 days'],
  ['30', '30 days'],
  ['365', 'One year'],
];
const NO_EXPIRY: Option = ['0', 'No expiry'];
const ALL: Option = ['', 'All programs'];

/** Creates an account token for a script or a machine, with no more rights and time than it needs. */
export function CreateToken() {
  const [isOpen, setOpen] = useState(false);
  const creation = useApiMutation('manageAddToken', () => setOpen(false));
  return (
    <>
      <Button onClick={() => setOpen(true)}>Create token</Button>
      <Dialog
        title="Create an account token"
        description="For scripts, automations and CI. It never changes keys, the team or your account, and never confirms payments. It ends when you change your password."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <TokenForm creation={creation} onClose={() => setOpen(false)} />
      </Dialog>
      <SecretDialog
        title="Your new token"
        description="This is the only time it is shown. Store it where it is used."
        secret={creation.data?.data.token}
        copyLabel="Copy token"
        onClose={() => creation.reset()}
      />
    </>
  );
}

type Creation = ReturnType<typeof useApiMutation<'manageAddToken'>>;

function TokenForm({ creation, onClose }: { creation: Creation; onClose: () => void }) {
  const isOwner = useApiQuery('manageMe').data?.data.role === 'owner';
  const programs = useApiQuery('managePrograms').data?.data.filter(({ role }) => role !== 'partner') ?? [];
  const [scopes, setScopes] = useState('read');
  const choices = programs.map(({ id, name }): Option => [String(id), name]);
  const submit = ({ name = '', expires_in_days: days, program_id: program }: Record<string, string>) =>
    creation.mutate({
      body: {
        name,
        scopes: scopes.split(' ') as TokenScope[],
        expires_in_days: Number(days),
        ...(program && { program_id: Number(program) }),
      },
    });
  return (
    <Form error={creation.error} onSubmit={submit}>
      <TextField label="Name" name="name" required maxLength={255} hint="What it is for, such as Zapier." />
      <SelectField
        label="What it may do"
        name="scopes"
        options={isOwner ? [...SCOPES, ...OWNER_SCOPES] : SCOPES}
        value={scopes}
        onValueChange={setScopes}
      />
      {choices.length > 0 && (
        <SelectField
          label="Program"
          name="program_id"
          options={scopes.includes('track') ? choices : [ALL, ...choices]}
        />
      )}
      <SelectField label="Expires after" name="expires_in_days" options={isOwner ? [...DAYS, NO_EXPIRY] : DAYS} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={creation.isPending}>
          Create token
        </Button>
      </DialogActions>
    </Form>
  );
}
