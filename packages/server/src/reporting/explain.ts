import type { Context } from '../context.ts';
import { parseClickId } from '../customers/click-id.ts';
import { reasons } from '../decisions/reasons.ts';
import { describeAttribution } from '../terms/credited-click.ts';
import { describeTerms } from '../terms/terms-facts.ts';
import { type DecisionRow, listDecisions } from './explain-store.ts';

/** What to explain: a sale, a customer or a click. */
export type Subject = { transactionId?: string; customerKey?: string; clickId?: string };

export type ExplainedDecision = DecisionRow & {
  sentence: string;
  /** The commission rules that decided it, in words. */
  terms: string | null;
  /** Which click is credited, in words, where the last one is. */
  attribution: string | null;
};

const MAX_DECISIONS = 200;

/** Every decision about a sale, a customer or a click, oldest first, each with a sentence that explains it. */
export async function explain(ctx: Context, programId: number, subject: Subject): Promise<ExplainedDecision[]> {
  const click = parseClickId(subject.clickId);
  const decisions = await listDecisions(ctx.db, programId, { ...subject, click }, MAX_DECISIONS);
  return decisions.map((decision) => ({
    ...decision,
    sentence: reasons[decision.reason],
    terms: describeTerms(decision),
    attribution: describeAttribution(decision.facts),
  }));
}
