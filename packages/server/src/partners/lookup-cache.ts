import type { Context } from '../context.ts';
import { createCache } from '../db/cache.ts';
import { hashApiKey, type ProgramKey } from '../programs/api-key.ts';
import { findKeyByHash } from '../programs/api-key-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgram } from '../programs/program-store.ts';
import type { CodeLinks, Link } from './links/link.ts';
import { findCode } from './links/link-store.ts';

/** Cached programs, keys and links: tracking requests make no reads once a value is cached. */
export type LookupCache = {
  program(id: number): Promise<Program | null>;
  key(token: string): Promise<ProgramKey | null>;
  link(shortLink: string): Promise<Link | null>;
  /** The link with this short link, and those of programs that have it as an alias. */
  code(code: string): Promise<CodeLinks | null>;
  /** Forgets a link on this node, for code that uses a link right after changing it. */
  forgetLink(shortLink: string): void;
  /**
   * Forgets on this node what is known about the program, and everything that was not found. Whoever changes a program calls it
   * before the answer: the notification may come later than the next request.
   */
  forgetProgram(id: number): void;
  /** Forgets everything on this node, for changes that may concern any number of programs. */
  forgetAll(): void;
};

/** Opens the cache. It follows the database's notifications, so a change takes effect on every node within moments. */
export async function openLookupCache({ db, now, log }: Context): Promise<LookupCache> {
  const programs = createCache<Program>({ now, load: (id) => findProgram(db, Number(id)) });
  const keys = createCache<ProgramKey>({ now, load: (hash) => findKeyByHash(db, hash) });
  const codes = createCache<CodeLinks>({ now, load: (code) => findCode(db, code) });
  const leadsTo = ({ link, aliases }: CodeLinks, id: number) =>
    link?.programId === id || aliases.some((alias) => alias.programId === id);

  function onChange(message: string) {
    const colon = message.indexOf(':');
    const [kind, id] = [message.slice(0, colon), message.slice(colon + 1)];
    if (kind === 'key') keys.drop(id);
    if (kind === 'link') codes.drop(id);
    if (kind === 'program') {
      programs.drop(id);
      codes.dropWhere((found) => found !== null && leadsTo(found, Number(id)));
    }
  }

  function forgetAll() {
    for (const cache of [programs, keys, codes]) cache.clear();
  }

  function onGap() {
    forgetAll();
    log.debug({}, 'Cleared the cache of programs, keys and links');
  }

  await db.listen('svc_changes', onChange, onGap);
  return {
    program: (id) => programs.get(String(id)),
    key: (token) => keys.get(hashApiKey(token)),
    link: async (shortLink) => (await codes.get(shortLink))?.link ?? null,
    code: codes.get,
    forgetLink: codes.drop,
    forgetProgram(id) {
      programs.drop(String(id));
      keys.dropWhere((found) => found === null || found.programId === id);
      codes.dropWhere((found) => found === null || leadsTo(found, id));
    },
    forgetAll,
  };
}
