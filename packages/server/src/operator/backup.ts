import { BackupError, type OnProgress, writeBackup } from '../db/backup.ts';
import { restoreBackup } from '../db/restore.ts';
import { type CommandResult, OperatorError, type RunCommand } from './command.ts';

export const backUp: RunCommand = async (ctx, { to = '' }, _baseUrl, report) => {
  const { tables } = await asOperatorError('', () =>
    writeBackup(ctx.db, to, ctx.now(), everySecond('Backing up', report)),
  );
  return summary(
    `Wrote ${to}. It does not contain the secret (SVC_SECRET, or \`secret\` in the data folder); back that up too.`,
    tables,
  );
};

export const restore: RunCommand = async (ctx, { from = '', verify }, _baseUrl, report) => {
  const options = { verify: isOn(verify), onProgress: everySecond('Restoring', report) };
  const { tables } = await asOperatorError(' Nothing was changed.', () => restoreBackup(ctx.db, from, options));
  return summary(`Restored ${from}${options.verify ? ' and compared every table with it' : ''}.`, tables);
};

/** `--no-verify` gives false. */
const isOn = (value: unknown) => value !== false;

const PROGRESS_MS = 1_000;

/** Reports progress at most once a second, so that quick work reports none. */
function everySecond(doing: string, report: (line: string) => void): OnProgress {
  let reportedAt = performance.now();
  return (table, done) => {
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    const amount = 'rows' in done ? `${done.rows.toLocaleString('en')} rows` : `${done.percent} %`;
    report(`${doing}: ${amount}, now at ${table}`);
  };
}

async function asOperatorError<Result>(consequence: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BackupError ? new OperatorError(`${error.message}${consequence}`) : error;
  }
}

function summary(sentence: string, tables: Record<string, { rows: number }>): CommandResult {
  const counts = Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows]));
  const lines = Object.entries(counts).map(([table, rows]) => `  ${table}: ${rows}`);
  return { data: { tables: counts }, text: [sentence, ...lines].join('\n') };
}
