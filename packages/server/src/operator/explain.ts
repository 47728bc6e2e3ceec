import { explain } from '../reporting/explain.ts';
import { OperatorError, type RunCommand, wholeNumber } from './command.ts';

const NOTHING_FOUND =
  'Nothing with this id has reached the program. Check the id, the API key that was used, and whether the request was sent.';

const linesOf = (texts: (string | null)[]) => texts.map((text) => (text ? `  ${text}\n` : '')).join('');

export const explainDecisions: RunCommand = async (ctx, { program, transaction, customer, click }) => {
  if (!transaction && !customer && !click) throw new OperatorError('Give --transaction, --customer or --click');
  const decisions = await explain(ctx, wholeNumber(program, '--program'), {
    transactionId: transaction,
    customerKey: customer,
    clickId: click,
  });
  const lines = decisions.map(
    (decision) =>
      `${new Date(decision.createdAt).toISOString()}  ${decision.kind} ${decision.outcome} (${decision.reason})\n` +
      `  ${decision.sentence}\n${linesOf([decision.terms, decision.attribution])}  ${JSON.stringify(decision.facts)}`,
  );
  return { data: decisions, text: lines.length === 0 ? NOTHING_FOUND : lines.join('\n') };
};
