import { BackupError, restoreBackup, writeBackup } from '../db/backup.ts';
import { type CommandResult, OperatorError, type RunCommand } from './command.ts';

export const backUp: RunCommand = async (ctx, { to = '' }) => {
  const { tables } = await writeBackup(ctx.db, to, ctx.now());
  return summary(
    `Wrote ${to}. It does not contain the secret (SVC_SECRET, or \`secret\` in the data folder); back that up too.`,
    tables,
  );
};

export const restore: RunCommand = async (ctx, { from = '', verify }) => {
  try {
    const { tables } = await restoreBackup(ctx.db, from, Boolean(verify));
    return summary(`Restored ${from}${verify ? ' and compared every table' : ''}.`, tables);
  } catch (error) {
    if (error instanceof BackupError) throw new OperatorError(error.message);
    throw error;
  }
};

function summary(sentence: string, tables: Record<string, { rows: number }>): CommandResult {
  const counts = Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows]));
  const lines = Object.entries(counts).map(([table, rows]) => `  ${table}: ${rows}`);
  return { data: { tables: counts }, text: [sentence, ...lines].join('\n') };
}
