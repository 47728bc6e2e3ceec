import { Resolver } from 'node:dns/promises';
import { errors } from '@svc/contract';

/** The values of the TXT records with a name; none when there is no such name. Throws when nobody answers in time. */
export type LookUpTxt = (name: string) => Promise<string[]>;

const TRY_MS = 1_500;
const TRIES = 2;
/** With several servers that do not answer, the tries add up. */
const LIMIT_MS = 6_000;

const NOT_THERE = ['ENOTFOUND', 'ENODATA'];

/** Asks the servers, or those of the machine. Each lookup asks again: a record that was just set must not be missed for an hour. */
export function createTxtLookup(servers: string[]): LookUpTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), LIMIT_MS);
    try {
      // A long value arrives in pieces.
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch (error) {
      if (NOT_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw errors.dnsUnanswered(name);
    } finally {
      clearTimeout(limit);
    }
  };
}
