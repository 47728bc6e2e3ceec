import { ATTRIBUTION_NAMES, ATTRIBUTIONS, type Attribution, COMMISSION_TYPES } from '@svc/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../../api/hooks.ts';
import { addDays, comparisonPeriods, todayOf } from '../../../rules/calendar.ts';
import { moveDraft, newDraft, type RuleDraft, toDraft, toRule } from '../../../rules/terms/rule-draft.ts';
import { Button } from '../../../ui/forms/button.tsx';
import type { Option } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { LeaveGuard } from '../../../ui/forms/leave-guard.tsx';
import { SelectField } from '../../../ui/forms/select.tsx';
import { TitledCard } from '../../../ui/layout/card.tsx';
import { CommissionSettingsLink, type Version } from '../rule-list.tsx';
import { Difference } from './difference.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { RuleRow } from './rule-row.tsx';

const MAX_RULES = 1_000;

const CREDITS = ATTRIBUTION_NAMES.map((name): Option<Attribution> => [name, ATTRIBUTIONS[name].label]);

type RuleEditorProps = {
  programId: number;
  current: Version;
  /** The group that the editor begins with a new rule for. */
  newRuleFor: number | undefined;
  onClose: () => void;
};

/** New rules, what they would have cost, and then their publication. Each change of a rule asks for the cost again. */
export function RuleEditor({ programId, current, newRuleFor, onClose }: RuleEditorProps) {
  const { currency } = current;
  const settings = COMMISSION_TYPES[current.commission_type];
  const [drafts, setDrafts] = useState(() => {
    const existing = current.rules.map((rule, key) => toDraft(rule, key, currency));
    if (newRuleFor === undefined) return existing;
    const added = newDraft(existing.length, settings);
    return [...existing, { ...added, audience: 'group' as const, groupId: String(newRuleFor) }];
  });
  const [attribution, setAttribution] = useState(current.attribution);
  const [openKey, setOpenKey] = useState<number | null>(newRuleFor === undefined ? null : current.rules.length);
  const [isPublishing, setPublishing] = useState(false);
  const [moved, setMoved] = useState('');
  const periods = comparisonPeriods(todayOf(new Date()));
  const [period, setPeriod] = useState(periods[0]?.[0] ?? '');
  const groups = useApiQuery('manageGroups', { params: { program_id: programId } }).data?.data ?? [];
  const simulation = useApiMutation('manageSimulateTerms');
  const rules = drafts.map((draft) => toRule(draft, currency));

  const edit = (changed: RuleDraft[]) => {
    setDrafts(changed);
    simulation.reset();
  };
  const add = () => {
    const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
    edit([...drafts, newDraft(key, settings)]);
    setOpenKey(key);
  };
  const move = (index: number, by: -1 | 1) => {
    edit(moveDraft(drafts, index, by));
    setMoved(`Rule ${index + 1} is now rule ${index + 1 + by}`);
  };
  const compare = () => {
    const { from, to } = (periods.find(([title]) => title === period) ?? periods[0]!)[1];
    const body = { rules, attribution, from, to: addDays(to, 1), groups: 'now' } as const;
    simulation.mutate({ params: { program_id: programId }, body });
  };
  return (
    <>
      <TitledCard
        title="New rules"
        description={
          <>
            The first rule that matches a sale or signup decides what it pays. If none matches, the{' '}
            <CommissionSettingsLink /> do.
          </>
        }
      >
        <Form label="New rules" guardsChanges={false} className="space-y-5" error={simulation.error} onSubmit={compare}>
          {drafts.length > 0 && (
            <ol className="divide-y divide-line rounded-lg border border-line">
              {drafts.map((draft, index) => (
                <RuleRow
                  key={draft.key}
                  {...{ programId, draft, groups, currency }}
                  number={index + 1}
                  isLast={index === drafts.length - 1}
                  isOpen={draft.key === openKey}
                  onToggle={() => setOpenKey(draft.key === openKey ? null : draft.key)}
                  onMove={(by) => move(index, by)}
                  onChange={(changes) =>
                    edit(drafts.map((other) => (other === draft ? { ...draft, ...changes } : other)))
                  }
                  onRemove={() => edit(drafts.filter((other) => other !== draft))}
                />
              ))}
            </ol>
          )}
          <p aria-live="polite" className="sr-only">
            {moved}
          </p>
          {drafts.length < MAX_RULES && (
            <Button onClick={add}>
              <Plus size={16} aria-hidden /> Add a rule
            </Button>
          )}
          <div className="max-w-md">
            <SelectField
              label="Who is credited"
              options={CREDITS}
              value={attribution}
              onValueChange={(chosen) => {
                setAttribution(chosen);
                simulation.reset();
              }}
              hint={`${ATTRIBUTIONS[attribution].note} Customers who have signed up or bought stay with their partner.`}
            />
          </div>
          <div className="flex flex-wrap items-end gap-2">
            <div className="w-44">
              <SelectField
                label="Compare with"
                options={periods.map(([title]) => [title, title] as const)}
                value={period}
                onValueChange={(title) => {
                  setPeriod(title);
                  simulation.reset();
                }}
              />
            </div>
            <Button type="submit" variant="primary" isBusy={simulation.isPending}>
              See the difference
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </Form>
      </TitledCard>
      <div aria-live="polite" className="empty:hidden">
        {simulation.data && (
          <Difference
            result={simulation.data.data}
            period={period}
            action={
              <Button variant="primary" onClick={() => setPublishing(true)}>
                Publish…
              </Button>
            }
          />
        )}
      </div>
      {isPublishing && (
        <PublishDialog
          {...{ programId, rules, attribution }}
          onClose={() => setPublishing(false)}
          onPublished={onClose}
        />
      )}
      <LeaveGuard
        hasChanges={() =>
          attribution !== current.attribution || JSON.stringify(rules) !== JSON.stringify(rulesOf(current))
        }
      />
    </>
  );
}

/** The rules of a version as the editor would send them, if nothing was changed. */
function rulesOf({ rules, currency }: Version) {
  return rules.map((rule, key) => toRule(toDraft(rule, key, currency), currency));
}
