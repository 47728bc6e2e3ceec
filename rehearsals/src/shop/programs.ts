import type { Environment } from '@svc/bench/processes';
import type { Terms } from './model.ts';
import { type Build, operate } from './nodes.ts';

export type Program = {
  id: number;
  apiKey: string;
  shortLink: string;
  terms: Terms;
  /** The account at the payment processor, if it is connected to one. */
  account: string | null;
};

/** One of each kind, with a rate that makes most commissions fall between two cents. */
const KINDS: { type: string; rate: string; terms: Terms }[] = [
  { type: 'percent', rate: '20', terms: { type: 'percent', tenThousandths: 200_000n } },
  { type: 'percent', rate: '7.3333', terms: { type: 'percent', tenThousandths: 73_333n } },
  { type: 'fixed', rate: '5', terms: { type: 'fixed', cents: 500n } },
];

/** Creates programs with different terms, each with a partner, a link and a key. */
export async function createPrograms(build: Build, env: Environment): Promise<Program[]> {
  type Created = { program_id: number; api_key: string; short_link: string };
  const programs: Program[] = [];
  for (const { type, rate, terms } of KINDS) {
    const args = ['--commission-type', type, '--commission-rate', rate];
    const made = await operate<Created>(build, env, 'setup', ...args);
    programs.push({
      id: made.program_id,
      apiKey: made.api_key,
      shortLink: made.short_link,
      terms,
      account: null,
    });
  }
  return programs;
}
