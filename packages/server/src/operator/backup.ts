import { BackupError, restoreBackup, writeBackup } from '../db/backup.ts';
import { type CommandResult, type OperatorCommand, OperatorError } from './command.ts';

export const backupCommand: OperatorCommand = {
  name: 'backup',
  description: 'write everything that is stored to a file',
  options: [{ flags: '--to <file>', description: 'file to write', required: true, isPath: true }],
  async run(ctx, { to = '' }) {
    const { tables } = await writeBackup(ctx.db, to, ctx.now());
    return summary(
      `Wrote ${to}. The secret (SVC_SECRET, or \`secret\` in the data folder) is not in it; keep it too.`,
      tables,
    );
  },
};

export const restoreCommand: OperatorCommand = {
  name: 'restore',
  description: 'fill an empty store from a backup, embedded or Postgres, whichever it came from',
  options: [
    { flags: '--from <file>', description: 'file to read', required: true, isPath: true },
    { flags: '--verify', description: 'compare every table with the backup before it counts' },
  ],
  async run(ctx, { from = '', verify }) {
    try {
      const { tables } = await restoreBackup(ctx.db, from, Boolean(verify));
      return summary(`Restored ${from}${verify ? ' and compared every table' : ''}.`, tables);
    } catch (error) {
      if (error instanceof BackupError) throw new OperatorError(error.message);
      throw error;
    }
  },
};

function summary(said: string, tables: Record<string, { rows: number }>): CommandResult {
  const counts = Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows]));
  const lines = Object.entries(counts).map(([table, rows]) => `  ${table}: ${rows}`);
  return { data: { tables: counts }, text: [said, ...lines].join('\n') };
}
