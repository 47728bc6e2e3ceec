import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderInstructions } from '../instructions/render.ts';
import { readIfThere, withValues, writeSecret } from './env-file.ts';
import type { Facts } from './facts.ts';
import { ignoreSecrets } from './ignore-file.ts';

const HEADER = '# Attribution service. Holds a secret: never commit this file, never send it to a browser.\n';
const EXAMPLE_HEADER = '# Copy to .svc/.env and fill in the key of the program. This file holds no secret.\n';

/** The files that init writes into a project. */
export class ProjectFiles {
  private readonly cwd: string;
  private readonly template: string;

  constructor(cwd: string, template: string) {
    this.cwd = cwd;
    this.template = template;
  }

  private path = (name: string) => join(this.cwd, '.svc', name);

  /** Makes the folder and keeps its secrets out of the repository, before there is a secret. */
  async prepare(): Promise<void> {
    await mkdir(this.path(''), { recursive: true });
    await ignoreSecrets(join(this.cwd, '.gitignore'));
  }

  /** Puts a key file aside under the id of its program, so that its key is not lost. */
  async putAside(programId: string): Promise<string> {
    const name = `.env.program-${programId.replace(/\W/g, '') || 'before'}`;
    const there = await readdir(this.path(''));
    const aside = [name, ...there.map((_, index) => `${name}.${index + 2}`)].find((other) => !there.includes(other));
    await rename(this.path('.env'), this.path(aside ?? name));
    return `.svc/${aside}`;
  }

  /** Sets variables in the key file; lines of others stay. */
  async writeEnv(values: Record<string, string>): Promise<void> {
    const text = (await readIfThere(this.path('.env'))) ?? HEADER;
    await writeSecret(this.path('.env'), withValues(text, values));
  }

  /** Writes everything that holds no secret. */
  async writeInstructions(facts: Facts): Promise<void> {
    const text = renderInstructions(this.template, facts);
    await writeFile(this.path('AGENTS.md'), text);
    await writeFile(this.path('skills.md'), text);
    const example = withValues(EXAMPLE_HEADER, { SVC_API_KEY: '', ...publicValues(facts) });
    await writeFile(this.path('.env.example'), example);
  }
}

/** What the env files say beside the key. */
export function publicValues({ programId, apiUrl, stripeAccountId }: Facts): Record<string, string> {
  return { SVC_PROGRAM_ID: String(programId), SVC_API_URL: apiUrl, SVC_STRIPE_ACCOUNT_ID: stripeAccountId };
}

export const WRITTEN = ['.svc/AGENTS.md', '.svc/skills.md', '.svc/.env', '.svc/.env.example', '.gitignore'];
