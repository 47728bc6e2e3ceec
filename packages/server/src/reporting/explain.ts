import { parseClickId } from '../clicks/click-id.ts';
import type { Context } from '../context.ts';
import { reasons } from '../decisions/reasons.ts';
import { type DecisionRow, listDecisions } from './explain-store.ts';

export type Question = { transactionId?: string; customerKey?: string; clickId?: string };

export type ExplainedDecision = DecisionRow & { sentence: string };

const MAX_DECISIONS = 200;

/** Tells what became of a sale, a customer or a click: every decision about it, oldest first, each in a sentence. */
export async function explain(ctx: Context, programId: number, question: Question): Promise<ExplainedDecision[]> {
  const click = parseClickId(question.clickId);
  const decisions = await listDecisions(ctx.db, programId, { ...question, click }, MAX_DECISIONS);
  return decisions.map((decision) => ({ ...decision, sentence: reasons[decision.reason] }));
}
