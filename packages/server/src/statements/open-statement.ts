import type { PayoutLine, PayoutRow } from '@svc/contract';
import { findWorkspaceName } from '../accounts/workspaces/workspace-store.ts';
import type { Context } from '../context.ts';
import { listLineSums, listPayoutLines } from '../payouts/payout-line-store.ts';
import type { Program } from '../programs/program.ts';
import { addsUp, type Statement } from './statement.ts';

/**
 * The statement of a payout as the bytes of a PDF, read and written page by page. `shown` hides what the reader may not see. Fails
 * before the first byte if the lines do not add up to the payout.
 */
export async function openStatement(
  { db }: Pick<Context, 'db'>,
  program: Pick<Program, 'id' | 'workspaceId' | 'name'>,
  payout: PayoutRow,
  shown: (lines: PayoutLine[]) => PayoutLine[],
): Promise<AsyncGenerator<Buffer>> {
  // Only with the first statement: what writes PDFs would be a sizable part of what the service loads to start.
  const { BATCH, writeStatement } = await import('./write-statement.ts');
  const sums = await listLineSums(db, payout.id);
  const brandName = (await findWorkspaceName(db, program.workspaceId)) ?? program.name;
  const statement: Statement = { payout, programName: program.name, brandName, sums };
  if (!addsUp(statement)) throw new Error(`The lines of payout ${payout.id} do not add up to its amount`);
  const next = async (beforeId: number | null) =>
    shown(await listPayoutLines(db, { programId: program.id, payoutId: payout.id }, beforeId, BATCH));
  return writeStatement(statement, await next(null), next);
}
