import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { type Changes, type Program, SettingsForm } from './settings-form.tsx';

const LEAD_AUTH = [
  ['browser_allowed', 'Count as soon as the page reports them'],
  ['server_required', 'Wait until your server or a payment confirms them'],
] as const;

export function TrackingSettings({ program }: { program: Program }) {
  const changesOf = ({ cookie, attribution, lead_auth }: Record<string, string>): Changes => ({
    cookie_window_days: Number(cookie),
    attribution_window_days: Number(attribution),
    lead_auth: lead_auth as Changes['lead_auth'],
  });
  const days = { type: 'number', min: '1', max: '3650', required: true };
  return (
    <SettingsForm program={program} title="Tracking" changesOf={changesOf}>
      <TextField
        label="Cookie, in days"
        name="cookie"
        {...days}
        defaultValue={program.cookie_window_days}
        hint="How long a browser remembers the click."
      />
      <TextField
        label="Attribution window, in days"
        name="attribution"
        {...days}
        defaultValue={program.attribution_window_days}
        hint="How old a click may be when the visitor signs up, or pays without having signed up."
      />
      <SelectField
        label="Signups from web pages"
        name="lead_auth"
        choices={LEAD_AUTH}
        defaultValue={program.lead_auth}
        hint="A page can be made to claim anything. Waiting for your server keeps others from claiming your users."
      />
    </SettingsForm>
  );
}
