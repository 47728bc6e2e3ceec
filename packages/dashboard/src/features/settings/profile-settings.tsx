import { TextField } from '../../ui/forms/field.tsx';
import { type Program, SettingsForm } from './settings-form.tsx';

export function ProfileSettings({ program }: { program: Program }) {
  return (
    <SettingsForm program={program} title="Profile" changesOf={({ name, domain }) => ({ name, domain })}>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={255}
        defaultValue={program.name}
        hint="Partners see it."
      />
      <TextField
        label="Website"
        name="domain"
        required
        defaultValue={program.domain}
        hint="Links lead there, and its https pages may report clicks and signups."
      />
      <TextField
        label="Program id"
        value={String(program.id)}
        readOnly
        hint="For the tracker and for your server’s configuration."
      />
    </SettingsForm>
  );
}
