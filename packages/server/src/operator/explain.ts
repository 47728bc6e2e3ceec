import { explain } from '../reporting/explain.ts';
import { type OperatorCommand, OperatorError, wholeNumber } from './command.ts';

export const explainCommand: OperatorCommand = {
  name: 'explain',
  description: 'tell what became of a transaction, a customer or a click, and why',
  options: [
    { flags: '--program <id>', description: 'id of the program', required: true },
    { flags: '--transaction <id>', description: 'a transaction_id' },
    { flags: '--customer <key>', description: 'a customer_key' },
    { flags: '--click <id>', description: 'a click_id' },
  ],
  async run(ctx, options) {
    const { transaction, customer, click } = options;
    if (!transaction && !customer && !click) throw new OperatorError('Give --transaction, --customer or --click');
    const decisions = await explain(ctx, wholeNumber(options.program, '--program'), {
      transactionId: transaction,
      customerKey: customer,
      clickId: click,
    });
    const lines = decisions.map(
      (decision) =>
        `${new Date(decision.createdAt).toISOString()}  ${decision.kind} ${decision.outcome} (${decision.reason})\n` +
        `  ${decision.sentence}\n  ${JSON.stringify(decision.facts)}`,
    );
    const nothing =
      'Nothing with this id has reached the program: check the id, the key that was used, and the sender.';
    return { data: decisions, text: lines.length === 0 ? nothing : lines.join('\n') };
  },
};
