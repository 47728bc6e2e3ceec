import { COMMISSION_BASES } from '@svc/contract';
import type { RuleAudience, RuleDraft } from '../../../rules/terms/rule-draft.ts';
import { type Option, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { PartnerPicker } from '../../../ui/records/partner-picker.tsx';
import type { RuleFieldsProps } from './rule-fields-props.ts';
import { RuleParts } from './rule-parts.tsx';

const EVENTS: Option<RuleDraft['on']>[] = [
  ['sale', 'Each sale'],
  ['lead', 'Each confirmed signup'],
];
const AUDIENCES: Option<RuleAudience>[] = [
  ['everyone', 'Every partner'],
  ['group', 'One group'],
  ['partner', 'One partner'],
];
const TYPES: Option<RuleDraft['type']>[] = [
  ['percent', 'A percentage'],
  ['fixed', 'A fixed amount'],
];

/** The sentence of a rule, part by part: who earns how much for what. Conditions and caps are added as they are needed. */
export function RuleFields(props: RuleFieldsProps) {
  const { programId, draft, groups, currency, onChange } = props;
  const isSale = draft.on === 'sale';
  const { rateLabel, maxRate } = COMMISSION_BASES[isSale ? draft.type : 'fixed'];
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label="For"
          options={AUDIENCES}
          value={draft.audience}
          onValueChange={(audience) => onChange({ audience })}
        />
        {draft.audience === 'group' && (
          <SelectField
            label="Group"
            options={[['', 'Select a group'], ...groups.map(({ id, name }) => [String(id), name] as const)]}
            value={draft.groupId}
            onValueChange={(groupId) => onChange({ groupId })}
          />
        )}
        {draft.audience === 'partner' && (
          <PartnerPicker
            programId={programId}
            label="Partner"
            value={draft.partnerId || undefined}
            onValueChange={(partnerId) => onChange({ partnerId: partnerId ?? '' })}
          />
        )}
        <SelectField label="Pays for" options={EVENTS} value={draft.on} onValueChange={(on) => onChange({ on })} />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        {isSale && (
          <SelectField label="Pays" options={TYPES} value={draft.type} onValueChange={(type) => onChange({ type })} />
        )}
        <TextField
          label={rateLabel === 'Amount' ? `Amount (${currency})` : rateLabel}
          type="number"
          min="0"
          max={maxRate}
          step="any"
          required
          value={draft.rate}
          onChange={(event) => onChange({ rate: event.target.value })}
        />
        {isSale && (
          <label className="flex items-center gap-2 text-sm sm:mt-7">
            <input
              type="checkbox"
              checked={draft.renewals}
              onChange={(event) => onChange({ renewals: event.target.checked })}
              className="accent-accent"
            />
            Renewals too
          </label>
        )}
      </div>
      <RuleParts {...props} />
    </>
  );
}
