import type { Call } from '../../api/client.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import type { Connection } from './processor-words.ts';

const ENVIRONMENTS = [
  ['live', 'Live'],
  ['test', 'Sandbox'],
] as const;

/** The fields of a new signing secret. */
export function SecretFields({ connection }: { connection: Connection }) {
  return (
    <>
      <TextField
        label="Signing secret"
        name="webhook_secret"
        type="password"
        autoComplete="off"
        placeholder={connection.secret_prefix && `${connection.secret_prefix}…`}
        hint="Stored encrypted and never shown again."
      />
      {!connection.test_mode_in_events && (
        <SelectField
          label="Environment"
          name="test_mode"
          options={ENVIRONMENTS}
          hint={`${connection.title} does not mark test events. Everything signed with the secret of a sandbox is a test.`}
        />
      )}
      <TextField label="Label" name="label" maxLength={64} placeholder="live" hint="Optional." />
    </>
  );
}

type SecretParts = Pick<NonNullable<Call<'manageConnectProcessor'>['body']>, 'label' | 'test_mode'>;

/** What the optional fields add to a request. */
export function secretParts({ label = '', test_mode: environment = '' }: Record<string, string>): SecretParts {
  return { ...(label && { label }), ...(environment && { test_mode: environment === 'test' }) };
}
