import { OPERATOR } from '../audit/audit-store.ts';
import { assignAccount } from '../payments/connections/connect-processor.ts';
import { isIdentifier } from '../payments/identifier-checks.ts';
import { findProgram } from '../programs/program-store.ts';
import { OperatorError, type RunCommand, wholeNumber } from './command.ts';

/** Assigns an account of the Connect platform to a program, without waiting for a proof. */
export const assignAccountToProgram: RunCommand = async (ctx, { program: id, account = '' }) => {
  const programId = wholeNumber(id, '--program');
  const program = await findProgram(ctx.db, programId);
  if (!program) throw new OperatorError(`There is no program ${programId}`);
  if (!isIdentifier(account)) throw new OperatorError('--account must be an account id, such as acct_123');
  await assignAccount(ctx, program, account, OPERATOR);
  return {
    data: { program_id: programId, account_id: account },
    text: `Program ${programId} gets the events of ${account}. Programs of other workspaces get none of them.`,
  };
};
