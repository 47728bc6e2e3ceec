import type { Context } from '../context.ts';
import { createCache } from '../db/cache.ts';
import { hashApiKey, type ProgramKey } from '../programs/api-key.ts';
import { findActiveKey, findKeyByHash } from '../programs/api-key-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgram } from '../programs/program-store.ts';
import type { Link } from './links/link.ts';
import { findLink } from './links/link-store.ts';

/** Cached programs, keys and links: tracking requests make no reads once a value is cached. */
export type LookupCache = {
  program(id: number): Promise<Program | null>;
  key(token: string): Promise<ProgramKey | null>;
  /** The key of a program that works now. */
  keyOf(programId: number): Promise<ProgramKey | null>;
  link(shortLink: string): Promise<Link | null>;
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
  const keysOfPrograms = createCache<ProgramKey>({ now, load: (id) => findActiveKey(db, Number(id)) });
  const links = createCache<Link>({ now, load: (shortLink) => findLink(db, shortLink) });

  function onChange(message: string) {
    const colon = message.indexOf(':');
    const [kind, id] = [message.slice(0, colon), message.slice(colon + 1)];
    if (kind === 'key') {
      keys.drop(id);
      keysOfPrograms.dropWhere((key) => key === null || key.hash === id);
    }
    if (kind === 'link') links.drop(id);
    if (kind === 'program') {
      programs.drop(id);
      links.dropWhere((link) => link?.programId === Number(id));
    }
  }

  function forgetAll() {
    for (const cache of [programs, keys, keysOfPrograms, links]) cache.clear();
  }

  function onGap() {
    forgetAll();
    log.debug({}, 'Cleared the cache of programs, keys and links');
  }

  await db.listen('svc_changes', onChange, onGap);
  return {
    program: (id) => programs.get(String(id)),
    key: (token) => keys.get(hashApiKey(token)),
    keyOf: (programId) => keysOfPrograms.get(String(programId)),
    link: (shortLink) => links.get(shortLink),
    forgetLink: links.drop,
    forgetProgram(id) {
      programs.drop(String(id));
      for (const cache of [keys, keysOfPrograms, links])
        cache.dropWhere((found) => found === null || found.programId === id);
    },
    forgetAll,
  };
}
