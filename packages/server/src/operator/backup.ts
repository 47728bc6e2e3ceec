import { BackupError, restoreBackup, writeBackup } from '../db/backup.ts';
import { type CommandResult, OperatorError, type RunCommand } from './command.ts';

export const backUp: RunCommand = async (ctx, { to = '' }) => {
  const { tables } = await asOperatorError(() => writeBackup(ctx.db, to, ctx.now()));
  return summary(
    `Wrote ${to}. It does not contain the secret (SVC_SECRET, or \`secret\` in the data folder); back that up too.`,
    tables,
  );
};

export const restore: RunCommand = async (ctx, { from = '', verify }) => {
  const { tables } = await asOperatorError(() => restoreBackup(ctx.db, from, Boolean(verify)));
  return summary(`Restored ${from}${verify ? ' and compared every table' : ''}.`, tables);
};

async function asOperatorError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BackupError ? new OperatorError(error.message) : error;
  }
}

function summary(sentence: string, tables: Record<string, { rows: number }>): CommandResult {
  const counts = Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows]));
  const lines = Object.entries(counts).map(([table, rows]) => `  ${table}: ${rows}`);
  return { data: { tables: counts }, text: [sentence, ...lines].join('\n') };
}
