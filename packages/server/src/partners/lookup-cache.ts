import type { Context } from '../context.ts';
import { createCache } from '../db/cache.ts';
import { hashApiKey, type ProgramKey } from '../programs/api-key.ts';
import { findKeyByHash } from '../programs/api-key-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgram } from '../programs/program-store.ts';
import type { Link } from './link.ts';
import { findLink } from './link-store.ts';

/** Programs, keys and links from memory: the way in makes no reads once a value has been seen. */
export type LookupCache = {
  program(id: number): Promise<Program | null>;
  key(token: string): Promise<ProgramKey | null>;
  link(shortLink: string): Promise<Link | null>;
};

/** Follows the database's announcements, so that a change counts on every node within moments. */
export async function openLookupCache({ db, now, log }: Context): Promise<LookupCache> {
  const programs = createCache<Program>({ now, load: (id) => findProgram(db, Number(id)) });
  const keys = createCache<ProgramKey>({ now, load: (hash) => findKeyByHash(db, hash) });
  const links = createCache<Link>({ now, load: (shortLink) => findLink(db, shortLink) });

  function onChange(message: string) {
    const colon = message.indexOf(':');
    const [what, which] = [message.slice(0, colon), message.slice(colon + 1)];
    if (what === 'key') keys.drop(which);
    if (what === 'link') links.drop(which);
    if (what === 'program') {
      programs.drop(which);
      links.dropWhere((link) => link.programId === Number(which));
    }
  }

  function onGap() {
    for (const memory of [programs, keys, links]) memory.clear();
    log.debug({}, 'Dropped the programs, keys and links kept in memory');
  }

  await db.listen('svc_changes', onChange, onGap);
  return {
    program: (id) => programs.get(String(id)),
    key: (token) => keys.get(hashApiKey(token)),
    link: (shortLink) => links.get(shortLink),
  };
}
