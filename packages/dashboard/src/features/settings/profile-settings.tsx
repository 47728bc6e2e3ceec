import { TextField } from '../../ui/forms/field.tsx';
import { type Program, SettingsForm } from './settings-form.tsx';

export function ProfileSettings({ program }: { program: Program }) {
  return (
    <SettingsForm
      program={program}
      title="Profile"
      toChanges={({ name, domain, contact_email, contact_url }) => ({ name, domain, contact_email, contact_url })}
    >
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
      <TextField
        label="Contact email"
        name="contact_email"
        type="email"
        maxLength={254}
        defaultValue={program.contact_email ?? ''}
        placeholder={`partners@${program.domain}`}
        hint="Shown to partners in their portal. Optional."
      />
      <TextField
        label="Contact page"
        name="contact_url"
        type="url"
        defaultValue={program.contact_url ?? ''}
        placeholder={`https://${program.domain}/partners`}
        hint="Shown to partners in their portal. Optional."
      />
      <TextField label="Program ID" value={String(program.id)} readOnly hint="Used by the tracker and your server." />
    </SettingsForm>
  );
}
