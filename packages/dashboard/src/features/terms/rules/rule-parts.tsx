import { MAX_COUPON_CHARS, MAX_IDENTIFIER_CHARS } from '@svc/contract';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { stepOf } from '../../../rules/money.ts';
import { type DraftPart, isPartOf, NO_PART, type RuleDraft, toAddedPart } from '../../../rules/terms/rule-draft.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { type Option, TextField } from '../../../ui/forms/field.tsx';
import { Menu, MenuItem } from '../../../ui/forms/menu.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import type { RuleFieldsProps } from './rule-fields-props.ts';

const CUSTOMERS: Option<RuleDraft['customer']>[] = [
  ['new', 'New customers'],
  ['returning', 'Returning customers'],
];
const BASES: Option<RuleDraft['base']>[] = [
  ['net', 'Net of tax and shipping'],
  ['gross', 'What the customer paid'],
];
const BENEFICIARIES: Option<RuleDraft['to']>[] = [
  ['recruiter', 'Who recruited the partner'],
  ['partner', 'The partner'],
];

/** What narrows a rule down, and what it is called where it is added and removed. */
const CONDITIONS: Partial<Record<DraftPart, string>> = {
  productId: 'One product',
  coupon: 'One coupon',
  minAmount: 'A smallest amount',
  customer: 'New or returning customers',
  months: 'The first months of a customer',
  maxPayments: 'The first payments of a customer',
};

/** What limits what a rule pays, and to whom else it goes. */
const CAPS: Partial<Record<DraftPart, string>> = {
  capPerSale: 'A cap per sale',
  capPerCustomer: 'A cap per customer',
  capPerMonth: 'A cap per partner and month',
  base: 'What percentages are computed from',
  to: 'Payment to the recruiter',
  credit: 'A credit for new customers',
};

const PARTS = Object.entries({ ...CONDITIONS, ...CAPS }) as [DraftPart, string][];

/** The conditions and caps that a rule has. Others are added one by one, so that nobody faces fields they do not need. */
export function RuleParts(props: RuleFieldsProps) {
  const { draft, onChange } = props;
  // One that was added stays while it is empty.
  const [added, setAdded] = useState<DraftPart[]>([]);
  const hasText = useRef(false);
  const isShown = (part: DraftPart) => isPartOf(draft, part) && (draft[part] !== NO_PART[part] || added.includes(part));
  const add = (part: DraftPart) => {
    const value = toAddedPart(part);
    hasText.current = value === '';
    setAdded([...added, part]);
    onChange({ [part]: value });
  };
  const remove = (part: DraftPart) => {
    setAdded(added.filter((other) => other !== part));
    onChange({ [part]: NO_PART[part] });
  };
  const menu = (title: string, parts: Partial<Record<DraftPart, string>>) => {
    const left = (Object.entries(parts) as [DraftPart, string][]).filter(
      ([part]) => isPartOf(draft, part) && !isShown(part),
    );
    if (left.length === 0) return null;
    return (
      <Menu
        align="start"
        // A field that was added has the focus; without one, the button gets it back.
        onCloseAutoFocus={(event) => {
          if (hasText.current) event.preventDefault();
          hasText.current = false;
        }}
        trigger={
          <Button size="small">
            <Plus size={15} aria-hidden /> {title}
          </Button>
        }
      >
        {left.map(([part, label]) => (
          <MenuItem key={part} onSelect={() => add(part)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    );
  };
  const shown = PARTS.filter(([part]) => isShown(part));
  return (
    <div className="space-y-4">
      {shown.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {shown.map(([part, label]) => (
            <div key={part} className="flex items-start gap-1">
              <div className="min-w-0 flex-1">
                <PartField {...props} part={part} isNew={added.includes(part)} />
              </div>
              <Button
                size="small"
                variant="ghost"
                className="mt-7 px-2!"
                aria-label={`Remove: ${label}`}
                title={`Remove: ${label}`}
                onClick={() => remove(part)}
              >
                <X size={15} aria-hidden />
              </Button>
            </div>
          ))}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {menu('Add a condition', CONDITIONS)}
        {menu('Add a cap or more', CAPS)}
      </div>
    </div>
  );
}

type PartFieldProps = RuleFieldsProps & { part: DraftPart; isNew: boolean };

function PartField({ draft, currency, onChange, part, isNew }: PartFieldProps) {
  const amounts = { type: 'number', min: '0', step: stepOf(currency) };
  const field = (label: string, input: object, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      value={draft[part]}
      onChange={(event) => onChange({ [part]: event.target.value })}
      autoFocus={isNew}
      {...input}
    />
  );
  const fields: Record<DraftPart, () => ReactNode> = {
    productId: () => field('Product ID', { maxLength: MAX_IDENTIFIER_CHARS }, 'As your server reports it.'),
    coupon: () => field('Coupon code', { maxLength: MAX_COUPON_CHARS }),
    minAmount: () => field(`Smallest amount (${currency})`, { ...amounts, min: stepOf(currency) }),
    customer: () => (
      <SelectField
        label="Customers"
        options={CUSTOMERS}
        value={draft.customer}
        onValueChange={(customer) => onChange({ customer })}
      />
    ),
    months: () => field('First months', { type: 'number', min: '1', max: '1200' }, 'Since their first sale.'),
    maxPayments: () => field('First payments', { type: 'number', min: '1', max: '100000' }),
    capPerSale: () => field(`Cap per sale (${currency})`, amounts),
    capPerCustomer: () => field(`Cap per customer (${currency})`, amounts),
    capPerMonth: () => field(`Cap per partner and month (${currency})`, amounts),
    base: () => (
      <SelectField label="Percent of" options={BASES} value={draft.base} onValueChange={(base) => onChange({ base })} />
    ),
    to: () => (
      <SelectField label="Paid to" options={BENEFICIARIES} value={draft.to} onValueChange={(to) => onChange({ to })} />
    ),
    credit: () =>
      field(
        `Credit for a new customer (${currency})`,
        { ...amounts, min: stepOf(currency) },
        'Recorded only. Your shop applies it.',
      ),
  };
  return fields[part]();
}
