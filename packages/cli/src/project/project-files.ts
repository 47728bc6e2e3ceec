import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderInstructions } from '../instructions/render.ts';
import { readIfExists, setValues, writeSecret } from './env-file.ts';
import { ignoreSecrets } from './ignore-file.ts';
import type { ProgramFacts } from './program-facts.ts';

const HEADER = '# Attribution service. This file holds a secret: never commit it or send it to a browser.\n';
const EXAMPLE_HEADER = '# Copy to .svc/.env and fill in the program key. This file holds no secret.\n';

/** Writes the files that init adds to a project. */
export class ProjectFiles {
  private readonly cwd: string;
  private readonly template: string;

  constructor(cwd: string, template: string) {
    this.cwd = cwd;
    this.template = template;
  }

  private path = (name: string) => join(this.cwd, '.svc', name);

  /** Creates the folder and its ignore entries, before any secret is written. */
  async prepare(): Promise<void> {
    await mkdir(this.path(''), { recursive: true });
    await ignoreSecrets(join(this.cwd, '.gitignore'));
  }

  /** Prepares the folder and runs `work`. If that fails, the project is as it was. */
  async keepOnSuccess<Result>(work: () => Promise<Result>): Promise<Result> {
    const ignoreFile = join(this.cwd, '.gitignore');
    const ignored = await readIfExists(ignoreFile);
    const hadFolder = await stat(this.path('')).then(Boolean, () => false);
    try {
      await this.prepare();
      return await work();
    } catch (error) {
      if (!hadFolder) await rmdir(this.path('')).catch(() => undefined);
      const restored = ignored === undefined ? rm(ignoreFile, { force: true }) : writeFile(ignoreFile, ignored);
      await restored.catch(() => undefined);
      throw error;
    }
  }

  /** Renames the key file after its program, so that its key is not lost. Returns the new name. */
  async backUpEnv(programId: string): Promise<string> {
    const name = `.env.program-${programId.replace(/\W/g, '') || 'before'}`;
    const existing = await readdir(this.path(''));
    const backup = [name, ...existing.map((_, index) => `${name}.${index + 2}`)].find(
      (candidate) => !existing.includes(candidate),
    );
    await rename(this.path('.env'), this.path(backup ?? name));
    return `.svc/${backup}`;
  }

  /** Sets variables in the key file and leaves its other lines unchanged. */
  async writeEnv(values: Record<string, string>): Promise<void> {
    const text = (await readIfExists(this.path('.env'))) ?? HEADER;
    await writeSecret(this.path('.env'), setValues(text, values));
  }

  /** Writes the files that hold no secret. */
  async writeInstructions(facts: ProgramFacts): Promise<void> {
    const text = renderInstructions(this.template, facts);
    await writeFile(this.path('AGENTS.md'), text);
    await writeFile(this.path('skills.md'), text);
    const example = setValues(EXAMPLE_HEADER, { SVC_API_KEY: '', ...publicValues(facts) });
    await writeFile(this.path('.env.example'), example);
  }
}

/** The variables of the env files other than the key. */
export function publicValues({ programId, apiUrl, stripeAccountId, relayPath }: ProgramFacts): Record<string, string> {
  return {
    SVC_PROGRAM_ID: String(programId),
    SVC_API_URL: apiUrl,
    SVC_STRIPE_ACCOUNT_ID: stripeAccountId,
    SVC_RELAY_PATH: relayPath ?? '',
  };
}

export const PROJECT_FILES = ['.svc/AGENTS.md', '.svc/skills.md', '.svc/.env', '.svc/.env.example', '.gitignore'];
