import type { Context } from '../context.ts';
import { createCache } from '../db/cache.ts';
import { createLinkHosts, type LinkHosts } from '../domains/link-hosts.ts';
import { hashApiKey, type ProgramKey } from '../programs/api-key.ts';
import { findKeyByHash, listKeys } from '../programs/api-key-store.ts';
import type { Program } from '../programs/program.ts';
import { findProgram } from '../programs/program-store.ts';
import type { CodeLinks, Link } from './links/link.ts';
import { findCode } from './links/link-store.ts';
import { createStandbyCache } from './links/standby-cache.ts';

/** Cached programs, keys, links and their hosts: tracking requests make no reads once a value is cached. */
export type LookupCache = {
  program(id: number): Promise<Program | null>;
  key(token: string): Promise<ProgramKey | null>;
  /** The live keys of a program. */
  liveKeys(programId: number): Promise<ProgramKey[]>;
  link(shortLink: string): Promise<Link | null>;
  /** The link with this short link, and those of programs that have it as an alias. */
  code(code: string): Promise<CodeLinks | null>;
  hosts: LinkHosts;
  /** As `code` and `program`, for visitors who are on their way: what was last known if the store takes longer than `ms`. */
  codeWithin(ms: number, code: string): Promise<CodeLinks | null | undefined>;
  programWithin(ms: number, id: number): Promise<Program | null | undefined>;
  /** The program of all links, if there is just one, as far as that is known without the store. */
  onlyProgram(): Program | undefined;
  /** Forgets a link on this node, for code that uses a link right after changing it. */
  forgetLink(shortLink: string): void;
  /**
   * Forgets on this node what is known about the program, and everything that was not found. A verb that changes a program calls it
   * before the answer: the notification may come later than the next request.
   */
  forgetProgram(id: number): void;
  /** Forgets everything on this node, for changes that may concern any number of programs. */
  forgetAll(): void;
};

/** Opens the cache. It follows the database's notifications, so a change takes effect on every node within moments. */
export async function openLookupCache({ db, now, log }: Context): Promise<LookupCache> {
  const { isHearing } = db;
  const programs = createCache<Program>({ now, isHearing, load: (id) => findProgram(db, Number(id)) });
  const keys = createCache<ProgramKey>({ now, isHearing, load: (hash) => findKeyByHash(db, hash) });
  const liveKeys = createCache<ProgramKey[]>({
    now,
    isHearing,
    load: async (id) => (await listKeys(db, Number(id))).filter(({ isTest }) => !isTest),
  });
  const codes = createCache<CodeLinks>({ now, isHearing, load: (code) => findCode(db, code) });
  const leadsTo = ({ link, aliases }: CodeLinks, id: number) =>
    link?.programId === id || aliases.some((alias) => alias.programId === id);
  const hosts = createLinkHosts({ db, log });
  const standby = createStandbyCache({ db, log });

  function onChange(message: string) {
    const colon = message.indexOf(':');
    const [kind, id] = [message.slice(0, colon), message.slice(colon + 1)];
    if (kind === 'key') {
      keys.drop(id);
      // A new key is in no list yet, and its message does not name the program.
      liveKeys.clear();
    }
    if (kind === 'link') {
      codes.drop(id);
      standby.dropCode(id);
    }
    if (kind === 'host') hosts.follow();
    if (kind === 'program') {
      programs.drop(id);
      standby.dropProgram(Number(id));
      codes.dropWhere((found) => found !== null && leadsTo(found, Number(id)));
    }
  }

  const caches = [programs, keys, liveKeys, codes];

  function onGap() {
    for (const cache of caches) cache.expire();
    hosts.follow();
    standby.follow();
    log.debug({}, 'Programs, keys and links in the cache are loaded again');
  }

  await db.listen('svc_changes', onChange, onGap);
  await hosts.reload();
  await standby.reload();
  return {
    program: (id) => programs.get(String(id)),
    key: (token) => keys.get(hashApiKey(token)),
    liveKeys: async (programId) => (await liveKeys.get(String(programId))) ?? [],
    link: async (shortLink) => (await codes.get(shortLink))?.link ?? null,
    code: codes.get,
    hosts,
    codeWithin: async (ms, code) => {
      const found = await codes.getWithin(ms, code);
      return found === undefined ? standby.code(code) : found;
    },
    programWithin: async (ms, id) => {
      const found = await programs.getWithin(ms, String(id));
      return found === undefined ? standby.program(id) : found;
    },
    onlyProgram: standby.onlyProgram,
    forgetLink(shortLink) {
      codes.drop(shortLink);
      standby.dropCode(shortLink);
    },
    forgetProgram(id) {
      programs.drop(String(id));
      standby.dropProgram(id);
      keys.dropWhere((found) => found === null || found.programId === id);
      liveKeys.drop(String(id));
      codes.dropWhere((found) => found === null || leadsTo(found, id));
    },
    forgetAll() {
      for (const cache of [...caches, standby]) cache.clear();
    },
  };
}
