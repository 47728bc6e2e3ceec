import type { Row } from '../../../api/client.ts';
import type { RuleDraft } from '../../../rules/terms/rule-draft.ts';

type Group = Row<'manageGroups'>;

/** What the fields of a rule show, and how they change it. */
export type RuleFieldsProps = {
  programId: number;
  draft: RuleDraft;
  groups: Group[];
  currency: string;
  onChange: (changes: Partial<RuleDraft>) => void;
};
