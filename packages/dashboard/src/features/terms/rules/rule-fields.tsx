import { COMMISSION_BASES } from '@svc/contract';
import { useState } from 'react';
import { hasConditions, type RuleAudience, type RuleDraft } from '../../../rules/terms/rule-draft.ts';
import { type Option, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { PartnerPicker } from '../../../ui/records/partner-picker.tsx';
import { RuleConditions } from './rule-conditions.tsx';
import type { RuleFieldsProps } from './rule-fields-props.ts';

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

/** What a rule is about, whom it is for and what it pays; everything else is in a section of its own. */
export function RuleFields(props: RuleFieldsProps) {
  const { programId, draft, groups, currency, onChange } = props;
  const isSale = draft.on === 'sale';
  // Decided once: it must not close while its last field is cleared.
  const [startsOpen] = useState(hasConditions(draft));
  const { rateLabel, maxRate } = COMMISSION_BASES[isSale ? draft.type : 'fixed'];
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField label="Pays for" options={EVENTS} value={draft.on} onValueChange={(on) => onChange({ on })} />
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
      <details open={startsOpen} className="text-sm">
        <summary className="w-fit cursor-pointer text-quiet hover:text-ink">Conditions, caps and credit</summary>
        <div className="mt-3">
          <RuleConditions {...props} />
        </div>
      </details>
    </>
  );
}
