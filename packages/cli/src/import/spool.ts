import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A page that was read, or a row of it that could not be. */
export type SpooledPage = {
  list: string;
  /** The row of an earlier list that the page belongs to; empty for lists of their own. */
  parent: string;
  next: string | null;
  rows: unknown[];
  unreadable: { number: number; problem: string }[];
};

type Header = { version: number; account: string; started_at: string };
type End = { completed_at: string };

const VERSION = 1;

/**
 * The pages read so far, a line each, in a file that only the user can read. A page is in it whole or not at all, so that a
 * command that was killed goes on after the last one.
 */
export class Spool {
  readonly pages: SpooledPage[] = [];
  startedAt = '';
  completedAt: string | null = null;
  private readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Opens what was read of this account; starts over for another one. */
  static async open(path: string, account: string, now: Date): Promise<Spool> {
    const spool = new Spool(path);
    if (!(await spool.load(account))) await spool.startOver(account, now);
    return spool;
  }

  async startOver(account: string, now: Date): Promise<void> {
    this.pages.length = 0;
    this.completedAt = null;
    this.startedAt = now.toISOString();
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // It has names and email addresses, which do not belong into a repository.
    await writeFile(`${dirname(this.path)}/.gitignore`, '*\n');
    await rm(this.path, { force: true });
    const header: Header = { version: VERSION, account: fingerprint(account), started_at: this.startedAt };
    await writeFile(this.path, line(header), { mode: 0o600 });
  }

  async add(page: SpooledPage): Promise<void> {
    await appendFile(this.path, line(page));
    this.pages.push(page);
  }

  async complete(now: Date): Promise<void> {
    const end: End = { completed_at: now.toISOString() };
    await appendFile(this.path, line(end));
    this.completedAt = end.completed_at;
  }

  private async load(account: string): Promise<boolean> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const [header, ...lines] = whole.split('\n').slice(0, -1).map(parsed) as [Header?, ...(SpooledPage | End)[]];
    if (header?.version !== VERSION || header.account !== fingerprint(account) || lines.includes(undefined as never)) {
      return false;
    }
    // What a killed command wrote of its last page.
    if (whole.length < text.length) await truncate(this.path, Buffer.byteLength(whole));
    this.startedAt = header.started_at;
    for (const each of lines) {
      if ('completed_at' in each) this.completedAt = each.completed_at;
      else this.pages.push(each);
    }
    return true;
  }
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** Tells accounts apart without keeping their keys. */
const fingerprint = (account: string) =>
  createHash('sha256').update(`svc import ${account}`).digest('hex').slice(0, 32);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
