import type { Context } from '../context.ts';
import { listActiveHosts } from './domain-store.ts';

/** Whose host it is, and the domain of the site that it leads to. */
export type LinkHost = { programId: number; site: string };

/** The active hosts of all programs, in memory: requests are routed by them, and must not wait for the store for that. */
export type LinkHosts = {
  find(host: string): LinkHost | undefined;
  /** Whether there is none, as in most installations. */
  isEmpty(): boolean;
  /** The host that the short addresses of a program are shown with: the first of its active ones. */
  ofProgram(programId: number): string | undefined;
  /** Reads them again. The caller who changes them waits for it before answering: the notification may come later than the next request. */
  reload(): Promise<void>;
  /** Starts reading them again, because they have changed. */
  follow(): void;
};

/** There are few hosts, and they change rarely, so each time all are read. Those that were read last stay when a read fails. */
export function createLinkHosts({ db, log }: Pick<Context, 'db' | 'log'>): LinkHosts {
  let hosts = new Map<string, LinkHost>();
  let firstOfProgram = new Map<number, string>();
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let isStale = false;

  async function load() {
    const rows = await listActiveHosts(db);
    hosts = new Map(rows.map(({ host, ...of }) => [host, of]));
    firstOfProgram = new Map(rows.reverse().map(({ host, programId }) => [programId, host]));
    isStale = false;
  }

  /** Done when a read that began after the call is. Many calls at a time share one. */
  function reload(): Promise<void> {
    if (!current) {
      current = load().finally(() => {
        current = null;
      });
      return current;
    }
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = null;
        return reload();
      });
    return next;
  }

  function follow() {
    reload().catch((error) => {
      isStale = true;
      log.warn({ err: error }, 'Could not read the hosts of links');
    });
  }

  /** After a read that failed, those who ask start the next one, and get what is known. */
  function known() {
    if (isStale && !current) follow();
    return { hosts, firstOfProgram };
  }

  return {
    find: (host) => known().hosts.get(host),
    isEmpty: () => known().hosts.size === 0,
    ofProgram: (programId) => known().firstOfProgram.get(programId),
    reload,
    follow,
  };
}
