import { manageCommissions, manageExplain } from '@svc/contract';
import type { CallRoute } from './call-route.ts';
import type { Args } from './tool.ts';

const NOTHING =
  'The program has received nothing with this id. Check the id and the key that the shop uses; diagnose_tracking shows refused calls.';

/** Whether the thing earned a commission and, if it did not, the decision that says why. */
export async function whyNoCommission(call: CallRoute, { program_id, ...query }: Args) {
  const params = { program_id };
  const { data: decisions } = await call(manageExplain, { params, query });
  const transactionIds = [...new Set(decisions.flatMap(({ transaction_id: id }) => id ?? []))].slice(0, 5);
  const commissions = [];
  for (const transaction_id of transactionIds) {
    commissions.push(...(await call(manageCommissions, { params, query: { transaction_id, limit: 10 } })).data);
  }
  return { answer: answerFrom(decisions, commissions), commissions, decisions };
}

type Decision = { kind: string; outcome: string; sentence: string };

function answerFrom(decisions: Decision[], commissions: { status: string }[]): string {
  const [commission] = commissions;
  if (commission) return `There is a commission. Its status is ${commission.status}.`;
  const sale = decisions.findLast(({ kind }) => kind === 'sale');
  const last = sale ?? decisions.at(-1);
  if (!last) return NOTHING;
  return sale ? last.sentence : `No sale has arrived yet. The last thing that did: ${last.sentence}`;
}
