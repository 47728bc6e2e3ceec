import { manageExplain } from '@svc/contract';
import { wrongUsage } from '../failure.ts';
import { accountToken, type Session } from '../session.ts';

export type ExplainOptions = { program?: string; transaction?: string; customer?: string; click?: string };

const NOTHING = 'Nothing with this id has reached the program: check the id, the key that was used, and the sender.';

/** Tells what became of a transaction, a customer or a click, and why. */
export async function explain(session: Session, options: ExplainOptions): Promise<void> {
  const { transaction, customer, click } = options;
  if (!transaction && !customer && !click) throw wrongUsage('Give --transaction, --customer or --click.');
  const program = options.program ?? session.project.SVC_PROGRAM_ID;
  if (!program)
    throw wrongUsage('No program is set up in this folder.', 'Give --program <id>; `svc programs` lists them.');
  const { data } = await session.api.call(manageExplain, {
    params: { program_id: program },
    query: { transaction_id: transaction, customer_key: customer, click_id: click },
    token: await accountToken(session),
  });
  const lines = data.flatMap(({ created_at, kind, outcome, reason, sentence, facts }) => [
    `${created_at}  ${kind} ${outcome} (${reason})`,
    `  ${sentence}`,
    ...(Object.keys(facts).length > 0 ? [`  ${JSON.stringify(facts)}`] : []),
  ]);
  session.out.result(data, lines.length > 0 ? lines : NOTHING);
}
