import { BackupError, type OnProgress, writeBackup } from '../db/backup/backup.ts';
import { restoreBackup } from '../db/backup/restore.ts';
import { skipSequences } from '../feed/feed-store.ts';
import { applyErasures } from '../privacy/apply-erasures.ts';
import { restoreAccount } from './accounts.ts';
import { type CommandResult, OperatorError, type RunCommand } from './command.ts';
import { readErasures, summaryOf } from './erasures.ts';

export const backUp: RunCommand = async (ctx, { to = '' }, _baseUrl, report) => {
  const { tables } = await asOperatorError('', () =>
    writeBackup(ctx.db, to, ctx.now(), everySecond('Backing up', report)),
  );
  return summary(
    `Wrote ${to}. It does not contain the secret (SVC_SECRET, or \`secret\` in the data folder); back that up too.`,
    tables,
  );
};

/** Loads a backup. People who mean an account are understood as well. */
export const restore: RunCommand = async (ctx, options, baseUrl, report) => {
  if ((options.from === undefined) === (options.email === undefined)) {
    throw new OperatorError('Give --from <file> to load a backup, or --email <email> to restore a suspended account.');
  }
  return options.email === undefined
    ? restoreFrom(ctx, options, baseUrl, report)
    : restoreAccount(ctx, options, baseUrl, report);
};

const restoreFrom: RunCommand = async (ctx, { from = '', erasures: list, verify }, _baseUrl, report) => {
  const options = { verify: isOn(verify), onProgress: everySecond('Restoring', report), afterwards: skipSequences };
  // Read first: a list that cannot be read must not leave people in the store who were erased.
  const erasures = list === undefined ? null : await readErasures(list);
  const { tables } = await asOperatorError(' Nothing was changed.', () => restoreBackup(ctx.db, from, options));
  const erased = erasures && (await applyErasures(await ctx.withSecrets(), erasures));
  const restored = `Restored ${from}${options.verify ? ' and compared every table with it' : ''}.`;
  return summary(`${restored} ${aboutErasures(erasures?.length ?? 0, erased)}`, tables);
};

function aboutErasures(total: number, erased: number | null): string {
  if (erased !== null) return summaryOf(total, erased);
  return 'People who were erased after this backup are in the store again. Run apply-erasures with the latest list of erasures.';
}

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
