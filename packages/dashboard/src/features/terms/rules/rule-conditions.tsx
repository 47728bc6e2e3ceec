import { MAX_COUPON_CHARS, MAX_IDENTIFIER_CHARS } from '@svc/contract';
import { stepOf } from '../../../rules/money.ts';
import type { RuleDraft } from '../../../rules/terms/rule-draft.ts';
import { type Option, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import type { RuleFieldsProps } from './rule-fields-props.ts';

const CUSTOMERS: Option<RuleDraft['customer']>[] = [
  ['', 'New and returning'],
  ['new', 'New customers'],
  ['returning', 'Returning customers'],
];
const BASES: Option<RuleDraft['base']>[] = [
  ['', 'As in the settings'],
  ['net', 'Net of tax and shipping'],
  ['gross', 'What the customer paid'],
];
const BENEFICIARIES: Option<RuleDraft['to']>[] = [
  ['partner', 'The partner'],
  ['recruiter', 'Who recruited the partner'],
];

/** What narrows a rule down, what limits it, and what the customer gets. */
export function RuleConditions({ draft, currency, onChange }: RuleFieldsProps) {
  const isSale = draft.on === 'sale';
  const amounts = { type: 'number', min: '0', step: stepOf(currency) };
  const field = (name: Exclude<keyof RuleDraft, 'key' | 'renewals'>, label: string, input: object, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...input}
    />
  );
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {isSale && field('productId', 'Product ID', { maxLength: MAX_IDENTIFIER_CHARS }, 'As your server reports it.')}
      {isSale && field('coupon', 'Coupon code', { maxLength: MAX_COUPON_CHARS })}
      {isSale && field('minAmount', `Smallest amount (${currency})`, { ...amounts, min: stepOf(currency) })}
      {isSale && (
        <SelectField
          label="Customers"
          options={CUSTOMERS}
          value={draft.customer}
          onValueChange={(customer) => onChange({ customer })}
        />
      )}
      {isSale && field('months', 'First months', { type: 'number', min: '1', max: '1200' }, 'Since their first sale.')}
      {isSale && field('maxPayments', 'First payments', { type: 'number', min: '1', max: '100000' })}
      {isSale && field('capPerSale', `Cap per sale (${currency})`, amounts)}
      {field('capPerCustomer', `Cap per customer (${currency})`, amounts)}
      {field('capPerMonth', `Cap per partner and month (${currency})`, amounts)}
      {isSale && draft.type === 'percent' && (
        <SelectField
          label="Percent of"
          options={BASES}
          value={draft.base}
          onValueChange={(base) => onChange({ base })}
        />
      )}
      <SelectField label="Paid to" options={BENEFICIARIES} value={draft.to} onValueChange={(to) => onChange({ to })} />
      {draft.to === 'partner' &&
        field(
          'credit',
          `Credit for a new customer (${currency})`,
          { ...amounts, min: stepOf(currency) },
          'Recorded only. Your shop applies it.',
        )}
    </div>
  );
}
