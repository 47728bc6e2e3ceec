import { describeRule } from '@svc/contract';
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { usePartnerName } from '../../../api/program.ts';
import { capitalize } from '../../../rules/label.ts';
import { toRule } from '../../../rules/terms/rule-draft.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { RuleFields } from './rule-fields.tsx';
import type { RuleFieldsProps } from './rule-fields-props.ts';

type RuleRowProps = RuleFieldsProps & {
  number: number;
  isLast: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

/** A rule in words; its fields once it is opened. */
export function RuleRow(props: RuleRowProps) {
  const { programId, draft, groups, currency, number, isLast, isOpen, onToggle, onMove, onChange, onRemove } = props;
  const fieldsId = useId();
  const words = useRuleInWords(props);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="px-3 py-2">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? fieldsId : undefined}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-lg px-1 text-left text-sm hover:bg-sunken"
        >
          <Chevron size={16} aria-hidden className="shrink-0 text-quiet" />
          <span className="shrink-0 text-quiet tabular-nums">
            <span className="sr-only">Rule </span>
            {number}
          </span>
          <span className="min-w-0 break-words">{words}</span>
        </button>
        <IconButton
          title={`Move rule ${number} up`}
          icon={ArrowUp}
          disabled={number === 1}
          onClick={() => onMove(-1)}
        />
        <IconButton title={`Move rule ${number} down`} icon={ArrowDown} disabled={isLast} onClick={() => onMove(1)} />
        <IconButton title={`Remove rule ${number}`} icon={Trash2} onClick={onRemove} />
      </div>
      {isOpen && (
        <fieldset id={fieldsId} aria-label={`Rule ${number}`} className="mt-2 min-w-0 space-y-4 px-1 pb-3">
          <RuleFields {...{ programId, draft, groups, currency, onChange }} />
        </fieldset>
      )}
    </li>
  );
}

type IconButtonProps = { title: string; icon: typeof ArrowUp; disabled?: boolean; onClick: () => void };

function IconButton({ title, icon: Icon, disabled = false, onClick }: IconButtonProps) {
  return (
    <Button
      size="small"
      variant="ghost"
      className="px-2!"
      aria-label={title}
      title={title}
      // Not disabled: it would lose the focus when a rule reaches an end of the list.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon size={15} aria-hidden />
    </Button>
  );
}

function useRuleInWords({ programId, draft, groups, currency }: RuleRowProps): string {
  const { audience, partnerId, groupId, rate } = draft;
  const partnerName = usePartnerName(programId, audience === 'partner' && partnerId ? partnerId : undefined);
  const isComplete =
    rate !== '' && (audience !== 'group' || groupId !== '') && (audience !== 'partner' || partnerId !== '');
  if (!isComplete) return 'New rule';
  return capitalize(
    describeRule(toRule(draft, currency), {
      currency,
      groups: new Map(groups.map(({ id, name }) => [id, name])),
      partners: new Map([[Number(partnerId), partnerName ?? '…']]),
    }),
  );
}
