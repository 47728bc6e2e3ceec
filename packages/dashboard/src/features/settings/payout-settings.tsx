import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { formatUnits, parseUnits, stepOf } from '../../rules/money.ts';
import { masked } from '../../rules/payout-run.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Combobox, type OptionSearch } from '../../ui/forms/combobox.tsx';
import { findCurrencies, labelOfCurrency } from '../../ui/forms/currencies.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Allowed, EditableWith } from '../../ui/layout/allowed.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../ui/layout/details.tsx';
import { DateOnly } from '../../ui/records/time.tsx';
import type { Program } from './settings-form.tsx';

type Settings = Data<'managePayoutSettings'>;
type Payer = NonNullable<Settings['payer']>;

/** How the program pays. */
export function PayoutSettings({ program }: { program: Program }) {
  return (
    <Allowed route="managePayoutSettings" to="see how the program pays">
      <LoadedSettings program={program} />
    </Allowed>
  );
}

function LoadedSettings({ program }: { program: Program }) {
  const settings = useApiQuery('managePayoutSettings', { params: { program_id: program.id } });
  return (
    <QueryState query={settings} lines={8}>
      {({ data }) => (
        <EditableWith route="manageSavePayoutSettings">
          {/* What a colleague has saved replaces what is shown. */}
          <RuleSettings key={data.updated_at} program={program} settings={data} />
          <PayerSettings programId={program.id} payer={data.payer} />
        </EditableWith>
      )}
    </QueryState>
  );
}

const DAYS = [
  ['', 'Never: we make runs ourselves'],
  ...Array.from({ length: 28 }, (_, index) => [String(index + 1), `On day ${index + 1} of each month`] as const),
] as const;

const PERSONS = [
  ['false', 'Anyone who may make runs'],
  ['true', 'A second person: not the one who made the run'],
] as const;

type Minimum = { currency: string; units: string };

function RuleSettings({ program, settings }: { program: Program; settings: Settings }) {
  const toast = useToast();
  const saving = useApiMutation('manageSavePayoutSettings', () => toast('Changes saved'));
  const [day, setDay] = useState(String(settings.schedule?.day ?? ''));
  const [twoPersons, setTwoPersons] = useState<'true' | 'false'>(settings.two_persons ? 'true' : 'false');
  const [minimums, setMinimums] = useState(minimumsOf(settings, program.currency));
  const save = (netDays: string) =>
    saving.mutate({
      params: { program_id: program.id },
      body: {
        minimum_cents: Object.fromEntries(
          minimums.flatMap(({ currency, units }) => {
            const cents = units.trim() === '' ? 0 : parseUnits(units, currency);
            return cents === 0 ? [] : [[currency, cents]];
          }),
        ),
        schedule: day === '' ? null : { day: Number(day) },
        net_days: Number(netDays),
        two_persons: twoPersons === 'true',
      },
    });
  return (
    <TitledCard
      title="Payout rules"
      description="They count for runs that are made from now on. Partners see the minimum and the next date."
    >
      <Form className="space-y-5" error={saving.error} onSubmit={({ net_days: netDays = '0' }) => save(netDays)}>
        <Minimums minimums={minimums} onChange={setMinimums} />
        <SelectField
          label="Prepare a draft"
          name="schedule"
          options={DAYS}
          value={day}
          onValueChange={setDay}
          hint={
            settings.next_run_at ? (
              <>
                The next one is prepared on <DateOnly at={settings.next_run_at} />, and everyone who may approve it gets
                an email.
              </>
            ) : (
              'On that day, a draft is made and everyone who may approve it gets an email. Nothing is paid by itself.'
            )
          }
        />
        <TextField
          label="Wait after approval (days)"
          name="net_days"
          type="number"
          min="0"
          max="90"
          required
          defaultValue={settings.net_days}
          hint="How long after its approval a commission is paid. 0 = in the next run."
        />
        <SelectField
          label="Who approves a run"
          name="two_persons"
          options={PERSONS}
          value={twoPersons}
          onValueChange={setTwoPersons}
          hint="With a second person, nobody can pay partners alone."
        />
        <Button type="submit" variant="primary" isBusy={saving.isPending}>
          Save changes
        </Button>
      </Form>
    </TitledCard>
  );
}

function minimumsOf({ minimum_cents: minimums }: Settings, currency: string): Minimum[] {
  const rows = Object.entries(minimums).map(([code, cents]) => ({ currency: code, units: formatUnits(cents, code) }));
  return rows.length > 0 ? rows : [{ currency, units: '' }];
}

const CURRENCIES: OptionSearch = {
  key: ['currencies'],
  find: async (text) => findCurrencies(text).map((code) => ({ value: code, label: labelOfCurrency(code) })),
};

type MinimumsProps = { minimums: Minimum[]; onChange: (minimums: Minimum[]) => void };

function Minimums({ minimums, onChange }: MinimumsProps) {
  const known = new Set(minimums.map(({ currency }) => currency));
  return (
    <fieldset className="min-w-0 space-y-2">
      <legend className="mb-1.5 text-sm font-medium">Smallest payout</legend>
      {minimums.map(({ currency, units }) => (
        <div key={currency} className="flex items-center gap-2">
          <span className="w-12 text-sm font-medium">{currency}</span>
          <div className="w-40">
            <TextField
              label={`Smallest payout in ${currency}`}
              isLabelHidden
              name={`minimum ${currency}`}
              type="number"
              min="0"
              step={stepOf(currency)}
              placeholder="No minimum"
              value={units}
              onChange={(event) =>
                onChange(
                  minimums.map((each) => (each.currency === currency ? { currency, units: event.target.value } : each)),
                )
              }
            />
          </div>
          <Button
            size="small"
            variant="ghost"
            aria-label={`Remove the minimum in ${currency}`}
            onClick={() => onChange(minimums.filter((each) => each.currency !== currency))}
          >
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
      <div className="max-w-56">
        <Combobox
          label="Add a currency"
          isLabelHidden
          value={undefined}
          valueLabel={null}
          placeholder="Add a currency…"
          searchLabel="Search currencies"
          search={CURRENCIES}
          onValueChange={(code) => code && !known.has(code) && onChange([...minimums, { currency: code, units: '' }])}
        />
      </div>
      <p className="text-caption text-quiet">Smaller balances stay until they are large enough.</p>
    </fieldset>
  );
}

const DECIMALS = [
  ['.', 'Point: 5.45'],
  [',', 'Comma: 5,45'],
] as const;

/** Who pays, as banks know them. Numbers are masked until an owner changes them. */
function PayerSettings({ programId, payer }: { programId: number; payer: Payer | null }) {
  const mayChange = useMay(programId, 'manageSavePayoutSettings');
  const [isChanging, setChanging] = useState(false);
  const change = mayChange && !isChanging && (
    <Button size="small" onClick={() => setChanging(true)}>
      {payer ? 'Change…' : 'Add…'}
    </Button>
  );
  return (
    <TitledCard
      title="Payer"
      description="Who pays, as the files for your bank and PayPal name you. It is stored encrypted."
      action={change}
    >
      {isChanging ? (
        <PayerForm programId={programId} payer={payer} onDone={() => setChanging(false)} />
      ) : (
        <PayerDetails payer={payer} />
      )}
    </TitledCard>
  );
}

function PayerDetails({ payer }: { payer: Payer | null }) {
  if (!payer) {
    return (
      <p className="text-sm text-quiet">
        Nobody has entered it yet. SEPA and ACH files need it; files for PayPal and Wise don’t.
      </p>
    );
  }
  const { name, iban, bic, ach, paypal_decimal: decimal = '.' } = payer;
  const rows: DetailRow[] = [
    ['Name', name],
    ['IBAN', iban ? masked(iban) : 'None: no SEPA files'],
    ...(bic ? [['BIC', bic] satisfies DetailRow] : []),
    ['ACH', ach ? `${ach.company_name}, routing number ${masked(ach.odfi_routing)}` : 'None: no ACH files'],
    ['Decimals at PayPal', decimal === ',' ? 'Comma' : 'Point'],
  ];
  return <Details rows={rows} />;
}

type PayerFormProps = { programId: number; payer: Payer | null; onDone: () => void };

function PayerForm({ programId, payer, onDone }: PayerFormProps) {
  const toast = useToast();
  const [decimal, setDecimal] = useState<'.' | ','>(payer?.paypal_decimal ?? '.');
  const saving = useApiMutation('manageSavePayoutSettings', () => {
    toast('Payer saved');
    onDone();
  });
  const save = (values: Record<string, string>) => {
    const of = (name: string) => values[name]?.trim() ?? '';
    const ach = {
      company_id: of('company_id'),
      company_name: of('company_name'),
      odfi_routing: of('odfi_routing'),
      destination_name: of('destination_name'),
    };
    const changed: Payer = {
      name: of('name'),
      ...(of('iban') && { iban: of('iban') }),
      ...(of('bic') && { bic: of('bic') }),
      ...(Object.values(ach).some(Boolean) && { ach }),
      paypal_decimal: decimal,
    };
    saving.mutate({ params: { program_id: programId }, body: { payer: changed } });
  };
  return (
    <Form className="space-y-5" error={saving.error} onSubmit={save}>
      <TextField
        label="Name"
        name="name"
        required
        maxLength={70}
        defaultValue={payer?.name}
        hint="As your bank knows you."
      />
      <Group title="SEPA">
        <TextField label="IBAN" name="iban" maxLength={42} autoComplete="off" defaultValue={payer?.iban} />
        <TextField
          label="BIC"
          name="bic"
          maxLength={11}
          autoComplete="off"
          defaultValue={payer?.bic}
          hint="Optional."
        />
      </Group>
      <Group title="ACH (your bank gives you these)">
        <TextField label="Company ID" name="company_id" maxLength={10} defaultValue={payer?.ach?.company_id} />
        <TextField label="Company name" name="company_name" maxLength={16} defaultValue={payer?.ach?.company_name} />
        <TextField
          label="Routing number of your bank"
          name="odfi_routing"
          maxLength={9}
          inputMode="numeric"
          defaultValue={payer?.ach?.odfi_routing}
        />
        <TextField
          label="Name of your bank"
          name="destination_name"
          maxLength={23}
          defaultValue={payer?.ach?.destination_name}
        />
      </Group>
      <SelectField
        label="Decimals at PayPal"
        name="paypal_decimal"
        options={DECIMALS}
        value={decimal}
        onValueChange={setDecimal}
        hint="As your PayPal account writes amounts."
      />
      <div className="flex gap-2">
        <Button type="submit" variant="primary" isBusy={saving.isPending}>
          Save payer
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium text-quiet">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}
