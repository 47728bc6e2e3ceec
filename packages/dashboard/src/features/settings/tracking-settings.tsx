import { useState } from 'react';
import { FetchedForm } from '../../ui/forms/fetched-form.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { LinkParameters } from './link-parameters.tsx';
import { type Program, type ProgramChanges, SettingsForm } from './settings-form.tsx';

const LEAD_AUTH_OPTIONS = [
  ['browser_allowed', 'Count immediately'],
  ['server_required', 'Wait for your server or a payment to confirm them'],
] as const;

/** What the form changes. Link parameters are changed below it. */
const windowsOf = ({ cookie_window_days, attribution_window_days, lead_auth }: Program) => ({
  cookie_window_days,
  attribution_window_days,
  lead_auth,
});

export function TrackingSettings({ program }: { program: Program }) {
  return (
    <div className="space-y-6">
      <FetchedForm value={windowsOf(program)}>
        {(fetched) => <TrackingForm program={{ ...program, ...fetched }} />}
      </FetchedForm>
      <LinkParameters program={program} />
    </div>
  );
}

function TrackingForm({ program }: { program: Program }) {
  const [leadAuth, setLeadAuth] = useState(program.lead_auth);
  const toChanges = (values: Record<string, string>): ProgramChanges => ({
    cookie_window_days: Number(values.cookie_window_days),
    attribution_window_days: Number(values.attribution_window_days),
    lead_auth: leadAuth,
  });
  const days = { type: 'number', min: '1', max: '3650', required: true };
  return (
    <SettingsForm program={program} title="Tracking" toChanges={toChanges}>
      <TextField
        label="Cookie duration (days)"
        name="cookie_window_days"
        {...days}
        defaultValue={program.cookie_window_days}
        hint="How long a browser remembers the click."
      />
      <TextField
        label="Attribution window (days)"
        name="attribution_window_days"
        {...days}
        defaultValue={program.attribution_window_days}
        hint="How old a click can be when the visitor signs up, or pays without signing up first."
      />
      <SelectField
        label="Signups reported by web pages"
        name="lead_auth"
        options={LEAD_AUTH_OPTIONS}
        value={leadAuth}
        onValueChange={setLeadAuth}
        hint="Requests from web pages can be faked. Waiting for confirmation keeps others from claiming your users."
      />
    </SettingsForm>
  );
}
