import { mkdir, writeFile } from 'node:fs/promises';
import { measureArchive } from './measurements/measure-archive.ts';
import { measureBatch } from './measurements/measure-batch.ts';
import { measureImport } from './measurements/measure-import.ts';
import { measureInbox } from './measurements/measure-inbox.ts';
import { type Measured, measureClicks } from './measurements/measure-load.ts';
import { measureMail } from './measurements/measure-mail.ts';
import { measurePayoutRuns } from './measurements/measure-payout-runs.ts';
import { measurePooler } from './measurements/measure-pooler.ts';
import { measureReports } from './measurements/measure-reports.ts';
import { measureSizes } from './measurements/measure-sizes.ts';
import { measureStore, type StoreResult } from './measurements/measure-store.ts';
import { measureTerms } from './measurements/measure-terms.ts';
import { measureKilledWebhooks, measureWebhooks } from './measurements/measure-webhooks.ts';
import { soak } from './measurements/soak.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { barsOf, drawChart } from './report/chart.ts';
import { writeReport } from './report/report.ts';
import { startBareFastify } from './service.ts';

const RESULTS = new URL('../results/', import.meta.url);

const print = (line: string) => void process.stderr.write(`${line}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

try {
  await run(readOptions(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  print(USAGE);
  process.exit(1);
}

async function run(options: Options): Promise<void> {
  if (options.soakSeconds !== undefined) return save('soak.md', await soak(options, options.soakSeconds, print));
  if (options.sizes) return save('sizes.md', await measureSizes(options, options.sizes, print));
  if (options.reports) return save('reports.md', await measureReports(options, print));
  if (options.mail) return save('mail.md', await measureMail(options, print));
  if (options.batch) return save('batch.md', await measureBatch(options, print));
  if (options.import) return save('import.md', await measureImport(options, print));
  if (options.inbox) return save('inbox.md', await measureInbox(options, print));
  if (options.terms) return save('terms.md', await measureTerms(options, print));
  if (options.webhooks) return save('webhooks.md', await measureWebhooks(options, print));
  if (options.webhooksKilled) return save('webhooks-killed.md', await measureKilledWebhooks(options, print));
  if (options.archive) return save('archive.md', await measureArchive(options, print));
  if (options.payoutRun) return save('payout-runs.md', await measurePayoutRuns(options, print));
  if (options.pooler) return save('pooler.md', await measurePooler(options, print));
  const bare = await measureBareFastify(options);
  const results: StoreResult[] = [];
  for (const kind of options.stores) results.push(await measureStore(kind, options, print));
  await save('latest.md', writeReport(options, bare, results));
  await writeFile(new URL('latest.svg', RESULTS), drawChart(barsOf(bare, results)));
}

async function measureBareFastify(options: Options): Promise<Measured> {
  print('bare Fastify');
  const server = await startBareFastify();
  const result = await measureClicks(server, 'bare', options);
  await server.stop();
  return result;
}

/** Prints the page and saves it in the results folder. */
async function save(name: string, page: string): Promise<void> {
  process.stdout.write(`\n${page}`);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL(name, RESULTS), page);
}
