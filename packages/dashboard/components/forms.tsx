import { Link } from '@tanstack/react-router';
import { Copy, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../src/api/client.ts';
import { Button } from '../src/ui/forms/button.tsx';
import { Calendar } from '../src/ui/forms/calendar.tsx';
import { ChoiceList } from '../src/ui/forms/choice-list.tsx';
import { Combobox, type OptionSearch } from '../src/ui/forms/combobox.tsx';
import { CommissionFields } from '../src/ui/forms/commission-fields.tsx';
import { CodeBlock, CopyButton } from '../src/ui/forms/copy.tsx';
import { CurrencyField } from '../src/ui/forms/currency-field.tsx';
import { CurrentPassword } from '../src/ui/forms/current-password.tsx';
import { DateRange } from '../src/ui/forms/date-range.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../src/ui/forms/dialog.tsx';
import { EditDialog } from '../src/ui/forms/edit-dialog.tsx';
import { FetchedForm, StartAgain } from '../src/ui/forms/fetched-form.tsx';
import { CONTROL, Field, TextArea, TextField } from '../src/ui/forms/field.tsx';
import { FieldErrorContext } from '../src/ui/forms/field-error.ts';
import { Form } from '../src/ui/forms/form.tsx';
import { FormValue } from '../src/ui/forms/form-value.tsx';
import { LeaveGuard } from '../src/ui/forms/leave-guard.tsx';
import { Listbox } from '../src/ui/forms/listbox.tsx';
import { ActionsMenu, Menu, MenuItem, MenuLabel, MenuSeparator } from '../src/ui/forms/menu.tsx';
import { Popover } from '../src/ui/forms/popover.tsx';
import { SearchPanel } from '../src/ui/forms/search-panel.tsx';
import { SecretDialog } from '../src/ui/forms/secret-dialog.tsx';
import { SelectField } from '../src/ui/forms/select.tsx';
import { GroupedTabs, TabPanels, Tabs } from '../src/ui/forms/tabs.tsx';
import type { Example } from './example.tsx';
import { LONG_NAME, LONG_WORD } from './sample-records.ts';

const VARIANTS = ['primary', 'secondary', 'ghost', 'danger'] as const;
const PLANS = [
  ['free', 'Free'],
  ['team', 'Team'],
  ['long', LONG_NAME],
] as const;
const CODE = `<script src="https://partners.acme.test/js/track.js" data-program="1" defer></script>\n<script>\n  track.lead('customer_1');\n</script>`;
const REFUSED = new ApiError(409, { message: 'Another program has this name.' });
const nothing = () => undefined;
const found = ['Ann Baker', 'Cleo Diaz', LONG_NAME].map((label, index) => ({ value: String(index), label }));
const search = (name: string, find: OptionSearch['find']): OptionSearch => ({ key: [name], find });
const combobox = {
  label: 'Partner',
  value: '1',
  valueLabel: 'Cleo Diaz',
  placeholder: 'Select a partner',
  searchLabel: 'Search partners',
  search: search('found', async () => found),
  onValueChange: nothing,
};
const presets = [
  { title: 'Last 7 days', isSelected: false, onSelect: nothing },
  { title: 'Last 30 days', isSelected: true, onSelect: nothing },
];
const range = {
  label: 'Dates',
  text: 'Mar 3 – 10, 2026',
  range: { from: '2026-03-03', to: '2026-03-10' },
  presets,
  onChange: nothing,
};
const choices = {
  label: 'Events',
  all: { value: '*', label: 'All events' },
  groups: [
    { title: 'Sales', choices: [{ value: 'sale.created', about: 'A sale was recorded.' }] },
    {
      title: 'Links',
      choices: [
        { value: 'link.created', about: 'A link was created.' },
        { value: 'link.changed', about: LONG_NAME },
      ],
    },
  ],
  searchLabel: 'Search events',
  onValueChange: nothing,
};
const dialog = { title: 'Invite a partner', isOpen: true, onClose: nothing };
const deletion = {
  title: 'Delete this link?',
  description: 'Its clicks stay in the reports. Visitors who use it get an error page.',
  confirmLabel: 'Delete link',
  isOpen: true,
  onClose: nothing,
  onConfirm: nothing,
};
const rename = (
  <MenuItem onSelect={nothing}>
    <Pencil size={15} aria-hidden /> Rename
  </MenuItem>
);
const remove = (
  <MenuItem isDanger onSelect={nothing}>
    <Trash2 size={15} aria-hidden /> Delete
  </MenuItem>
);

/** As a form shows what the server refused. */
function Refused({ field, children }: { field: string; children: ReactNode }) {
  return (
    <FieldErrorContext value={{ field, message: 'That is already taken.' }}>
      <div className="stack">{children}</div>
    </FieldErrorContext>
  );
}

export const forms: readonly Example[] = [
  {
    name: 'Button: kinds in both sizes',
    show: () => (
      <div className="stack">
        {(['medium', 'small'] as const).map((size) => (
          <div className="row" key={size}>
            {VARIANTS.map((variant) => (
              <Button key={variant} variant={variant} size={size}>
                {variant}
              </Button>
            ))}
          </div>
        ))}
      </div>
    ),
  },
  {
    name: 'Button: disabled, busy, with an icon',
    show: () => (
      <div className="stack">
        <div className="row">
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant} disabled>
              {variant}
            </Button>
          ))}
        </div>
        <div className="row">
          <Button isBusy variant="primary">
            Saving
          </Button>
          <Button isBusy>Saving</Button>
          <Button>
            <Pencil size={16} aria-hidden /> Edit
          </Button>
        </div>
      </div>
    ),
  },
  {
    name: 'TextField: empty, filled, hint, disabled, long',
    show: () => (
      <div className="stack">
        <TextField label="Name" placeholder="Acme" />
        <TextField label="Website" defaultValue="acme.test" hint="Where your customers buy." />
        <TextField label="Currency" defaultValue="USD" disabled />
        <TextField label="Customer key" defaultValue={LONG_WORD} />
        <TextField label="Not seen" isLabelHidden placeholder="Only screen readers read its label" />
      </div>
    ),
  },
  {
    name: 'TextField, TextArea, SelectField: refused',
    show: () => (
      <Refused field="name">
        <TextField label="Name" name="name" defaultValue="Acme" hint="Partners see it." />
        <TextArea label="Description" name="name" defaultValue="Acme" />
        <SelectField label="Plan" name="name" options={PLANS} />
      </Refused>
    ),
  },
  {
    name: 'TextArea: empty, filled, disabled',
    show: () => (
      <div className="stack">
        <TextArea label="Message" placeholder="Hello" rows={2} />
        <TextArea label="Message" defaultValue={'Two\nlines'} rows={2} hint="Plain text." />
        <TextArea label="Message" defaultValue="Sent" rows={1} disabled />
      </div>
    ),
  },
  {
    name: 'Field around a control of its own',
    show: () => (
      <Field label="Color" hint="Of buttons and links." name="color">
        {(control) => <input {...control} type="text" defaultValue="#2447d8" className={`${CONTROL} h-10`} />}
      </Field>
    ),
  },
  {
    name: 'SelectField: first option, selected, long, disabled',
    show: () => (
      <div className="stack">
        <SelectField label="Plan" options={PLANS} hint="Change it at any time." />
        <SelectField label="Plan" options={PLANS} defaultValue="team" />
        <SelectField label="Plan" options={PLANS} defaultValue="long" />
        <SelectField label="Plan" options={PLANS} disabled />
      </div>
    ),
  },
  {
    name: 'SelectField, open',
    frameHeight: 260,
    press: '[role=combobox]',
    until: '[role=option]',
    show: () => <SelectField label="Plan" options={PLANS} defaultValue="team" />,
  },
  {
    name: 'Combobox: nothing selected, selected, its name unknown yet',
    show: () => (
      <div className="stack">
        <Combobox {...combobox} value={undefined} hint="By name or email." />
        <Combobox {...combobox} />
        <Combobox {...combobox} valueLabel={null} />
      </div>
    ),
  },
  {
    name: 'Combobox, open',
    frameHeight: 300,
    press: '[role=combobox]',
    until: '[role=option]:nth-child(4)',
    show: () => <Combobox {...combobox} clearLabel="All partners" />,
  },
  {
    name: 'Combobox, searching',
    frameHeight: 200,
    press: '[role=combobox]',
    until: '[role=status]:not(:empty)',
    show: () => <Combobox {...combobox} search={search('slow', () => new Promise(nothing))} />,
  },
  {
    name: 'Combobox, failed',
    frameHeight: 200,
    press: '[role=combobox]',
    until: '[role=listbox]:not([aria-busy])',
    show: () => <Combobox {...combobox} search={search('failed', () => Promise.reject(REFUSED))} />,
  },
  {
    name: 'Listbox: active and selected, busy',
    show: () => (
      <div className="stack">
        <Listbox
          id="listbox"
          label="Partners"
          options={found.map(({ value, label }) => ({ value, content: label }))}
          active={1}
          selected="0"
          onActivate={nothing}
          onSelect={nothing}
        />
        <Listbox
          id="busy-listbox"
          label="Partners that are still searched"
          options={[{ value: '0', content: 'Ann Baker' }]}
          active={0}
          isBusy
          selected={undefined}
          onActivate={nothing}
          onSelect={nothing}
        />
      </div>
    ),
  },
  { name: 'CurrencyField', show: () => <CurrencyField defaultValue="EUR" /> },
  {
    name: 'CurrencyField, open',
    frameHeight: 300,
    press: '[role=combobox]',
    until: '[role=option]',
    show: () => <CurrencyField defaultValue="EUR" />,
  },
  { name: 'CommissionFields', show: Commission },
  { name: 'CurrentPassword', frameHeight: 100, show: CurrentPassword },
  {
    name: 'FormValue: invisible, below its control',
    show: () => (
      <div style={{ position: 'relative' }}>
        <FormValue name="plan" value="team" onFocus={nothing} />
        <Button>Choose a plan</Button>
      </div>
    ),
  },
  {
    name: 'Calendar: a range',
    show: () => <Calendar from="2026-03-03" to="2026-03-18" today="2026-03-12" onSelect={nothing} />,
  },
  {
    name: 'Calendar: only the first day',
    show: () => <Calendar from="2026-02-28" to={undefined} today="2026-03-12" onSelect={nothing} />,
  },
  { name: 'DateRange', show: () => <DateRange {...range} /> },
  {
    name: 'DateRange, open',
    isWide: true,
    frameHeight: 600,
    press: 'button',
    until: '[role=grid]',
    show: () => <DateRange {...range} />,
  },
  {
    name: 'DateRange, open, backwards',
    frameHeight: 600,
    press: 'button',
    until: '[role=grid]',
    show: () => <DateRange {...range} range={{ from: '2026-03-10', to: '2026-03-03' }} />,
  },
  {
    name: 'ChoiceList: everything, some, refused',
    show: () => (
      <Refused field="types">
        <ChoiceList {...choices} value={['*']} />
        <ChoiceList {...choices} name="types" value={['sale.created']} />
      </Refused>
    ),
  },
  {
    name: 'CopyButton',
    show: () => (
      <div className="row">
        <CopyButton text="acme" label="Copy name" />
        <CopyButton text="acme" label="Copy name" isIconOnly />
      </div>
    ),
  },
  {
    name: 'CodeBlock: a key, code, JSON that is copied without its line breaks',
    show: () => (
      <div className="stack">
        <CodeBlock text={LONG_WORD} label="Copy key" />
        <CodeBlock text={CODE} label="Copy code" />
        <CodeBlock text='{"id":1}' shown={'{\n  "id": 1\n}'} label="Copy JSON" />
      </div>
    ),
  },
  {
    name: 'Form, with an error about none of its fields',
    show: () => (
      <Form onSubmit={nothing} error={REFUSED} label="Program">
        <TextField label="Name" name="name" />
        <Button type="submit" variant="primary">
          Save
        </Button>
      </Form>
    ),
  },
  {
    name: 'Form, guarding changes',
    show: () => (
      <Form onSubmit={nothing} label="Website">
        <TextField label="Website" name="domain" defaultValue="acme.test" />
        <Button type="submit" variant="primary" isBusy>
          Save
        </Button>
      </Form>
    ),
  },
  {
    name: 'FetchedForm',
    show: () => (
      <FetchedForm value="acme.test">
        {(domain) => (
          <Form onSubmit={nothing} label="Site">
            <TextField label="Site" name="site" defaultValue={domain} />
          </Form>
        )}
      </FetchedForm>
    ),
  },
  {
    name: 'StartAgain',
    show: () => <StartAgain onStart={nothing}>Version 3 was published meanwhile.</StartAgain>,
  },
  {
    name: 'LeaveGuard, after a link was followed',
    frameHeight: 260,
    press: 'main a',
    until: '[role=dialog]',
    show: () => (
      <>
        <LeaveGuard hasChanges={() => true} />
        <Link to="/app/programs/$programId/partners" params={{ programId: 1 }}>
          Partners
        </Link>
      </>
    ),
  },
  {
    name: 'Dialog',
    frameHeight: 340,
    until: '[role=dialog]',
    show: () => (
      <Dialog {...dialog} description="They get an email with a link that works once.">
        <div className="stack">
          <TextField label="Email" type="email" />
          <DialogActions>
            <Button>Cancel</Button>
            <Button variant="primary">Send invitation</Button>
          </DialogActions>
        </div>
      </Dialog>
    ),
  },
  {
    name: 'EditDialog, saving, after an error',
    frameHeight: 380,
    until: '[role=dialog]',
    show: () => (
      <EditDialog
        title="Edit Ann Lee"
        description="Only your team sees the external ID."
        saving={{ error: REFUSED, isPending: true }}
        onSubmit={nothing}
        onClose={nothing}
      >
        <TextField label="External ID" name="external_id" defaultValue="user_42" />
      </EditDialog>
    ),
  },
  {
    name: 'Dialog, long and without a description',
    frameHeight: 300,
    until: '[role=dialog]',
    show: () => (
      <Dialog {...dialog} title={LONG_NAME}>
        {Array.from({ length: 12 }, (_, index) => (
          <p key={String(index)}>Paragraph {index + 1}</p>
        ))}
      </Dialog>
    ),
  },
  {
    name: 'ConfirmDialog',
    frameHeight: 240,
    until: '[role=dialog]',
    show: () => <ConfirmDialog {...deletion} />,
  },
  {
    name: 'ConfirmDialog, busy, not dangerous',
    frameHeight: 240,
    until: '[role=dialog]',
    show: () => <ConfirmDialog {...deletion} isBusy variant="primary" cancelLabel="Keep it" />,
  },
  {
    name: 'ConfirmDialog, failed',
    frameHeight: 300,
    until: '[role=dialog]',
    show: () => <ConfirmDialog {...deletion} error={REFUSED} />,
  },
  {
    name: 'SecretDialog',
    frameHeight: 260,
    until: '[role=dialog]',
    show: () => (
      <SecretDialog
        title="Your new token"
        description="This is the only time it is shown."
        secret="svc_acc_1234567890"
        copyLabel="Copy token"
        onClose={nothing}
      />
    ),
  },
  {
    name: 'SearchPanel',
    show: () => (
      <SearchPanel
        label="Plants"
        searchLabel="Search plants"
        text="f"
        onText={nothing}
        options={[
          { value: 'fern', content: 'Fern' },
          { value: 'fir', content: 'Fir' },
        ]}
        selected="fir"
        onSelect={nothing}
        message={null}
      />
    ),
  },
  {
    name: 'Menu, open',
    frameHeight: 240,
    press: 'button',
    until: '[role=menu]',
    show: () => (
      <Menu trigger={<Button>Menu</Button>} align="start">
        <MenuLabel>Link</MenuLabel>
        {rename}
        <MenuItem isDisabled onSelect={nothing}>
          <Copy size={15} aria-hidden /> Copy
        </MenuItem>
        <MenuSeparator />
        {remove}
      </Menu>
    ),
  },
  {
    name: 'ActionsMenu, open',
    frameHeight: 160,
    press: 'button',
    until: '[role=menu]',
    show: () => (
      <ActionsMenu name="Ann Baker">
        {rename}
        {remove}
      </ActionsMenu>
    ),
  },
  {
    name: 'Popover, open',
    frameHeight: 160,
    until: '[role=dialog]',
    show: () => (
      <Popover label="Note" isOpen onOpenChange={nothing} trigger={<Button>Note</Button>} className="p-5">
        What is in it
      </Popover>
    ),
  },
  {
    name: 'Tabs, the second selected and marked',
    at: '/app/programs/1/terms?tab=groups',
    show: () => (
      <Tabs
        label="Commission rules"
        tabs={[
          { name: 'rules', title: 'Rules', content: 'What is paid' },
          { name: 'groups', title: 'Groups', content: 'Who is in which group', mark: '2 failing' },
          { name: 'versions', title: 'Versions', content: 'What was paid before' },
        ]}
      />
    ),
  },
  {
    name: 'GroupedTabs, one of the second group selected',
    isWide: true,
    frameHeight: 260,
    at: '/app/programs/1/settings?tab=origins',
    show: () => (
      <GroupedTabs
        label="Settings"
        groups={[
          {
            title: 'Program',
            tabs: [
              { name: 'profile', title: 'Profile', content: 'Name and website' },
              { name: 'join', title: 'Join page', content: 'What applicants see' },
            ],
          },
          {
            title: 'Tracking',
            tabs: [
              { name: 'tracking', title: 'Tracking', content: 'Windows and parameters' },
              { name: 'origins', title: 'Origins', content: 'Sites that may report clicks' },
              { name: 'webhooks', title: 'Webhooks', content: 'What is sent where', mark: '1 failing' },
            ],
          },
        ]}
      />
    ),
  },
  {
    name: 'TabPanels, more than fit beside one another',
    show: () => (
      <TabPanels
        label="Languages"
        tabs={['HTML', 'Express', 'Next.js', 'Stripe Checkout', 'Paddle', 'Another one'].map((title) => ({
          name: title,
          title,
          content: `Code for ${title}`,
        }))}
        selected={undefined}
        onSelect={nothing}
      />
    ),
  },
];

function Commission() {
  const [type, setType] = useState<Parameters<typeof CommissionFields>[0]['type']>('recurring_percent');
  return (
    <div className="stack">
      <CommissionFields type={type} onTypeChange={setType} defaultRate={20} defaultCurrency="USD" />
    </div>
  );
}
