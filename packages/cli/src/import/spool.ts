import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';

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
/** Of the file, which is read at once. A tool whose lists never end must not fill the disk. */
const MAX_CHARS = 500_000_000;

/**
 * The pages read so far, a line each, in a file that only the user can read. A page is in it whole or not at all, so that a
 * command that was killed goes on after the last one.
 */
export class Spool {
  readonly pages: SpooledPage[] = [];
  startedAt = '';
  completedAt: string | null = null;
  private readonly path: string;
  private readonly maxChars: number;
  private chars = 0;

  private constructor(path: string, maxChars: number) {
    this.path = path;
    this.maxChars = maxChars;
  }

  /** Opens what was read of this account; starts over for another one. */
  static async open(path: string, account: string, now: Date, maxChars = MAX_CHARS): Promise<Spool> {
    const spool = new Spool(path, maxChars);
    if (!(await spool.load(account))) await spool.startOver(account, now);
    return spool;
  }

  async startOver(account: string, now: Date): Promise<void> {
    this.pages.length = 0;
    this.chars = 0;
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
    const text = line(page);
    this.chars += text.length;
    if (this.chars > this.maxChars) {
      throw new Failure(`There is more to read than fits into ${this.path}, which is too much for one import.`);
    }
    await appendFile(this.path, text);
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
    this.chars = whole.length;
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
