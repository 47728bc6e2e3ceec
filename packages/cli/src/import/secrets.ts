import type { Session } from '../session.ts';
import type { Secret } from './tool-client.ts';

/** The keys of the other tool: from the environment, otherwise typed in. They are never an argument, and never printed. */
export async function secretsOf({ env, prompts }: Session, secrets: Secret[]): Promise<string[]> {
  const values: string[] = [];
  for (const { env: name, what } of secrets) {
    values.push(env[name]?.trim() || (await prompts.secret({ message: `Enter ${what}`, variable: name })));
  }
  return values;
}
