import { TextField } from '../../ui/forms/field.tsx';
import { type Program, SettingsForm } from './settings-form.tsx';

export function ProfileSettings({ program }: { program: Program }) {
  return (
    <SettingsForm program={program} title="Profile" toChanges={({ name, domain }) => ({ name, domain })}>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={255}
        defaultValue={program.name}
        hint="Visible to partners."
      />
      <TextField
        label="Website"
        name="domain"
        required
        defaultValue={program.domain}
        hint="Partner links lead here, and its HTTPS pages can report clicks and signups."
      />
      <TextField label="Program ID" value={String(program.id)} readOnly hint="Used by the tracker and your server." />
    </SettingsForm>
  );
}
