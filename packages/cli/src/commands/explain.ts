import { manageExplain } from '@svc/contract';
import { wrongUsage } from '../failure.ts';
import { accountToken, programId, type Session } from '../session.ts';

export type ExplainOptions = { program?: string; transaction?: string; customer?: string; click?: string };

const NOT_FOUND = 'The program has received nothing with this id. Check the id, the key that was used, and the sender.';

/** Explains what happened to a transaction, a customer or a click, decision by decision. */
export async function explain(session: Session, options: ExplainOptions): Promise<void> {
  const { transaction, customer, click } = options;
  if (!transaction && !customer && !click) throw wrongUsage('Pass --transaction, --customer or --click.');
  const { data } = await session.api.call(manageExplain, {
    params: { program_id: programId(session, options) },
    query: { transaction_id: transaction, customer_key: customer, click_id: click },
    token: await accountToken(session),
  });
  const lines = data.flatMap(({ created_at, kind, outcome, reason, sentence, facts }) => [
    `${created_at}  ${kind} ${outcome} (${reason})`,
    `  ${sentence}`,
    ...(Object.keys(facts).length > 0 ? [`  ${JSON.stringify(facts)}`] : []),
  ]);
  session.out.result(data, lines.length > 0 ? lines : NOT_FOUND);
}
