import { z } from 'zod';
import { inRule, termsRule } from './terms-rule.ts';
import { listRuleProblems } from './terms-rule-problems.ts';

/** The rules of a version, in order. A rule that can never pay is refused. */
export const termsRules = z
  .array(termsRule, { error: inRule('must be a list of rules') })
  .superRefine((rules, check) => {
    for (const { rule, problem } of listRuleProblems(rules)) {
      check.addIssue({ code: 'custom', path: [rule - 1], message: `rule ${rule}: ${problem}` });
    }
  });
