import { join } from 'node:path';
import { Failure } from './failure.ts';
import { readIfExists, writeSecret } from './project/env-file.ts';

export type Account = { token: string; email: string; advertiser_id: number | null };

type Stored = {
  /** The service of the last sign-in; used when nothing else names one. */
  last_api_url?: string;
  accounts: Record<string, Account>;
};

/** The sign-ins by service URL, in a file in the user's home folder that only they can read. */
export class Credentials {
  readonly path: string;

  constructor(home: string) {
    this.path = join(home, '.svc', 'credentials.json');
  }

  async find(apiUrl: string): Promise<Account | undefined> {
    return (await this.read()).accounts[apiUrl];
  }

  async lastApiUrl(): Promise<string | undefined> {
    return (await this.read()).last_api_url;
  }

  async save(apiUrl: string, account: Account): Promise<void> {
    const { accounts } = await this.read();
    await this.write({ last_api_url: apiUrl, accounts: { ...accounts, [apiUrl]: account } });
  }

  async remove(apiUrl: string): Promise<void> {
    const { last_api_url: last, accounts } = await this.read();
    const { [apiUrl]: _removed, ...others } = accounts;
    await this.write({ ...(last !== apiUrl && { last_api_url: last }), accounts: others });
  }

  private async read(): Promise<Stored> {
    const text = await readIfExists(this.path);
    if (text === undefined) return { accounts: {} };
    try {
      const stored = JSON.parse(text) as Partial<Stored> | null;
      return { ...stored, accounts: stored?.accounts ?? {} };
    } catch {
      throw new Failure(`${this.path} is not valid JSON.`, { hint: 'Delete it and run `svc login`.' });
    }
  }

  private write(stored: Stored): Promise<void> {
    return writeSecret(this.path, `${JSON.stringify(stored, null, 2)}\n`);
  }
}
