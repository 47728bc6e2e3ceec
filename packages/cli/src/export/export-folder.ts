import { appendFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CSV_START, csvColumns, csvLine } from '@svc/contract';
import { Failure } from '../failure.ts';
import { EXPORTED_NAMES, type ExportedName, fieldsOf } from './lists.ts';

/** How far a list is written: rows, where its next page begins, and how long its files are up to there. */
export type Progress = {
  rows: number;
  /** Which of its questions is being asked, and the cursor of the next page. */
  query: number;
  cursor: string | null;
  csv_bytes: number;
  json_bytes: number;
  complete: boolean;
};

export type Manifest = {
  service: string;
  program_id: number;
  program: string;
  started_at: string;
  completed_at: string | null;
  lists: Partial<Record<ExportedName, Progress>>;
};

type Subject = Pick<Manifest, 'service' | 'program_id' | 'program'>;

const MANIFEST = 'manifest.json';
const START = {
  csv: (fields: string[]) => CSV_START + csvLine(csvColumns(fields).map(({ title }) => title)),
  json: '[',
};

/** The folder of an export. After every page its manifest says how far it is, so that an interrupted export goes on there. */
export class ExportFolder {
  readonly path: string;
  readonly manifest: Manifest;

  private constructor(path: string, manifest: Manifest) {
    this.path = path;
    this.manifest = manifest;
  }

  /** A new folder, or one with an interrupted export of the same program. Refuses others, unless `force` is set. */
  static async open(path: string, subject: Subject, force: boolean, now: Date): Promise<ExportFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const found = await readManifest(path);
    const isSame = found?.service === subject.service && found.program_id === subject.program_id;
    if (found && isSame && found.completed_at === null && !force) return new ExportFolder(path, found);
    if ((await readdir(path)).length > 0 && !force) {
      throw new Failure(`${path} is not empty.`, {
        code: 'folder_not_empty',
        hint: 'Name another folder, or pass --force.',
      });
    }
    for (const name of EXPORTED_NAMES) {
      for (const kind of ['csv', 'json']) await rm(join(path, `${name}.${kind}`), { force: true });
    }
    const folder = new ExportFolder(path, { ...subject, started_at: now.toISOString(), completed_at: null, lists: {} });
    await folder.save();
    return folder;
  }

  /** How far a list is. Cuts off what was written after the manifest was. */
  async begin(name: ExportedName): Promise<Progress> {
    const known = this.manifest.lists[name];
    if (known) {
      await truncate(this.file(name, 'csv'), known.csv_bytes);
      await truncate(this.file(name, 'json'), known.json_bytes);
      return known;
    }
    const csv = START.csv(fieldsOf(name));
    for (const [kind, text] of [
      ['csv', csv],
      ['json', START.json],
    ] as const) {
      await writeFile(this.file(name, kind), text, { mode: 0o600 });
    }
    const sizes = { csv_bytes: Buffer.byteLength(csv), json_bytes: START.json.length };
    const progress = { rows: 0, query: 0, cursor: null, ...sizes, complete: false };
    await this.note(name, progress);
    return progress;
  }

  /** Writes a page, and where the next one begins. */
  async add(
    name: ExportedName,
    before: Progress,
    rows: object[],
    next: Pick<Progress, 'query' | 'cursor' | 'complete'>,
  ): Promise<Progress> {
    const columns = csvColumns(fieldsOf(name));
    const csv = rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');
    const items = rows.map((row, index) => `${before.rows + index === 0 ? '\n' : ',\n'}${JSON.stringify(row)}`);
    const json = items.join('') + (next.complete ? '\n]\n' : '');
    await appendFile(this.file(name, 'csv'), csv);
    await appendFile(this.file(name, 'json'), json);
    const progress = {
      ...next,
      rows: before.rows + rows.length,
      csv_bytes: before.csv_bytes + Buffer.byteLength(csv),
      json_bytes: before.json_bytes + Buffer.byteLength(json),
    };
    await this.note(name, progress);
    return progress;
  }

  async complete(now: Date): Promise<void> {
    this.manifest.completed_at = now.toISOString();
    await this.save();
  }

  private note(name: ExportedName, progress: Progress): Promise<void> {
    this.manifest.lists[name] = progress;
    return this.save();
  }

  /** Through a temporary file, so that a killed command leaves the old one or the new one. */
  private async save(): Promise<void> {
    const temporary = join(this.path, `.${MANIFEST}.tmp`);
    await writeFile(temporary, `${JSON.stringify(this.manifest, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, join(this.path, MANIFEST));
  }

  private file(name: ExportedName, kind: 'csv' | 'json'): string {
    return join(this.path, `${name}.${kind}`);
  }
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  const text = await readFile(join(path, MANIFEST), 'utf8').catch(() => undefined);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Manifest);
  } catch {
    return undefined;
  }
}
