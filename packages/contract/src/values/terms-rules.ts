import { z } from 'zod';
import { inRule, termsRule } from './terms-rule.ts';
import { listRuleProblems } from './terms-rule-problems.ts';

/** The rules of a version, in order. A rule that can never pay is refused. */
export const termsRules = z
  .array(termsRule, { error: inRule('must be a list of rules') })
  .superRefine((rules, check) => {
    for (const { rule, field, problem } of listRuleProblems(rules)) {
      const path = [rule - 1, ...field.split('.')];
      check.addIssue({ code: 'custom', path, message: `rule ${rule}: ${field} ${problem}` });
    }
  });
