import { join } from 'node:path';
import { wrongUsage } from '../failure.ts';
import type { Session } from '../session.ts';
import { readCsvFiles, readMapping } from './csv-source.ts';
import { readLists, rowsOf, unreadableRows } from './read-tool.ts';
import type { Reading } from './reading.ts';
import { secretsOf } from './secrets.ts';
import type { SourceName, ToolName } from './sources.ts';
import { Spool } from './spool.ts';
import type { Tool } from './tool.ts';
import { createToolClient } from './tool-client.ts';
import { TOOLS } from './tools/tools.ts';
import { knownSale } from './unit.ts';

export type SourceOptions = {
  currency?: string;
  knownSale?: string;
  mapping?: string;
  toolUrl?: string;
  fresh?: boolean;
};

/** What was read, where from, and when. */
export type Source = { source: string; title: string; readAt: string; reading: Reading; notTakenOver: string[] };

/** How old a reading may be that is used again: `none` reads everything again, unless a reading was interrupted. */
export type Reuse = 'none' | 'recent' | 'any';

const RECENT_MS = 24 * 3_600_000;

/** Reads a tool through its API, or the files of a mapping. */
export async function readSource(
  session: Session,
  name: SourceName,
  options: SourceOptions & { currency: string },
  reuse: Reuse,
  signal: AbortSignal,
): Promise<Source> {
  const now = new Date();
  if (name === 'csv') {
    if (!options.mapping) throw wrongUsage('Pass --mapping <file>, which says what the columns mean.');
    const mapping = await readMapping(session.cwd, options.mapping);
    const reading = await readCsvFiles(session.cwd, options.mapping, mapping, options.currency);
    return { source: mapping.source, title: options.mapping, readAt: now.toISOString(), reading, notTakenOver: [] };
  }
  const tool: Tool = TOOLS[name];
  const about = { currency: options.currency, knownSale: knownSale(options.knownSale, options.currency), now };
  const spool = await readTool(session, name, tool, options, reuse, signal);
  const reading = tool.toReading(rowsOf(spool), about);
  reading.leftOut.push(...unreadableRows(spool));
  const { title, notTakenOver } = tool;
  return { source: name, title, readAt: spool.completedAt ?? spool.startedAt, reading, notTakenOver };
}

async function readTool(
  session: Session,
  name: ToolName,
  tool: Tool,
  { toolUrl, fresh }: SourceOptions,
  reuse: Reuse,
  signal: AbortSignal,
): Promise<Spool> {
  const { out, cwd } = session;
  const apiUrl = addressOf(toolUrl) ?? tool.apiUrl;
  const secrets = await secretsOf(session, tool.secrets);
  const account = [name, apiUrl, ...secrets].join('\n');
  const spool = await Spool.open(join(cwd, '.svc', 'import', `${name}.jsonl`), account, new Date());
  const age = Date.now() - new Date(spool.startedAt).getTime();
  const isUsable = spool.completedAt ? reuse === 'any' || (reuse === 'recent' && age < RECENT_MS) : age < RECENT_MS;
  if (fresh || !isUsable) await spool.startOver(account, new Date());
  if (spool.completedAt) {
    out.note(`Using what was read from ${tool.title} at ${spool.completedAt}. --fresh reads it again.`);
    return spool;
  }
  if (spool.pages.length > 0) out.note(`Going on with what was read from ${tool.title} since ${spool.startedAt}.`);
  const access = { ...tool, apiUrl, headers: tool.headers(secrets) };
  const client = createToolClient(access, { out, signal });
  await out.withSpinner(`Reading ${tool.title}`, () => readLists(tool, client, spool, progressOf(session, tool)));
  await spool.complete(new Date());
  return spool;
}

/** Says how far the reading is; without a terminal, a line for every hundred rows. */
function progressOf({ out, prompts }: Session, { title }: Tool): (list: string, count: number) => void {
  let shown = '';
  return (list, count) => {
    const hundreds = `${list} ${Math.floor(count / 100)}`;
    if (prompts.interactive || hundreds !== shown) out.note(`${title}: ${count.toLocaleString('en')} ${list}`);
    shown = hundreds;
  };
}

/** Keys go only to an encrypted address, or to this machine. */
function addressOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url.href.replace(/\/+$/, '');
  throw wrongUsage(`--tool-url must be an https address, not "${text}".`);
}
