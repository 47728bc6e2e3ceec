import { runOnStoreOf } from './operator.ts';

export type FirstProgram = {
  program_id: number;
  api_key: string;
  partner_id: number;
  short_link: string;
  domain: string;
};

/** A first program, created by what the operator command `setup` runs. The command itself is tried in operator.process.test.ts. */
export async function setUp(env: Record<string, string>, ...args: string[]): Promise<FirstProgram> {
  const { ok, text, data } = await runOnStoreOf(env, 'setup', ...args);
  if (!ok) throw new Error(`setup failed: ${text}`);
  return data as FirstProgram;
}
