import { type ReactNode, useState } from 'react';
import type { Data } from '../../api/client.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { useMay } from '../../api/rights.ts';
import { masked } from '../../rules/payout-run.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { TitledCard } from '../../ui/layout/card.tsx';
import { type DetailRow, Details } from '../../ui/layout/details.tsx';

type Payer = NonNullable<Data<'managePayoutSettings'>['payer']>;

const DECIMALS = [
  ['.', 'Point: 5.45'],
  [',', 'Comma: 5,45'],
] as const;

/** Who pays, as banks know them. Numbers are masked until an owner changes them. */
export function PayerSettings({ programId, payer }: { programId: number; payer: Payer | null }) {
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
      description="How the files for your bank and PayPal name you. Stored encrypted."
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
