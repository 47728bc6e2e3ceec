import { X } from 'lucide-react';
import { useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { formatUnits, parseUnits, stepOf } from '../../rules/money.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Combobox, type OptionSearch } from '../../ui/forms/combobox.tsx';
import { findCurrencies, labelOfCurrency } from '../../ui/forms/currencies.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { DateOnly } from '../../ui/records/time.tsx';
import type { Program } from './settings-form.tsx';

type Settings = ReturnType<typeof rulesOf>;

/** What the form changes. Who pays is changed elsewhere. */
export function rulesOf({ minimum_cents, schedule, net_days, two_persons }: Data<'managePayoutSettings'>) {
  return { minimum_cents, schedule, net_days, two_persons };
}

const DAYS = [
  ['', 'Never: we make runs ourselves'],
  ...Array.from({ length: 28 }, (_, index) => [String(index + 1), `On day ${index + 1} of each month`] as const),
] as const;

const PERSONS = [
  ['false', 'Anyone who may make runs'],
  ['true', 'A second person: not the one who made the run'],
] as const;

type PayoutRulesProps = { program: Program; settings: Settings; nextRunAt: string | null };
type Minimum = { currency: string; units: string };

/** What counts for the runs of the program: when they are prepared, from which amount on, and who approves them. */
export function PayoutRules({ program, settings, nextRunAt }: PayoutRulesProps) {
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
      description="These apply to runs made from now on. Partners see the minimum and the next date."
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
            nextRunAt ? (
              <>
                The next one is prepared on <DateOnly at={nextRunAt} />, and everyone who may approve it gets an email.
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
      <p className="text-caption text-quiet">Smaller balances are kept until they reach it.</p>
    </fieldset>
  );
}
