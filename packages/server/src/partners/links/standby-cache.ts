import type { Context } from '../../context.ts';
import type { Program } from '../../programs/program.ts';
import { listProgramsById } from '../../programs/program-store.ts';
import type { CodeLinks } from './link.ts';
import { listNewestLinks } from './link-store.ts';

/** More than most installations have. They take about 10 MB. */
const MAX_LINKS = 20_000;
/** How long changes are gathered before links are read again. */
const RELOAD_MS = 60_000;
/** Programs change with every partner who joins. */
const RELOAD_PROGRAMS_MS = 5_000;

/**
 * Links that nobody has opened on this node yet, with their programs: visitors are led on by them if the store does not answer. What has
 * changed is left out until it was read again.
 */
export type StandbyCache = {
  code(code: string): CodeLinks | undefined;
  program(id: number): Program | undefined;
  /** The program of all links, if there is just one. */
  onlyProgram(): Program | undefined;
  dropCode(code: string): void;
  dropProgram(id: number): void;
  clear(): void;
  reload(): Promise<void>;
  /** Reads them again after a while, because changes may have been missed. */
  follow(): void;
};

export function createStandbyCache({ db, log }: Pick<Context, 'db' | 'log'>): StandbyCache {
  let codes = new Map<string, CodeLinks>();
  let programs = new Map<number, Program>();
  let onlyId: number | undefined;
  /** What has changed since the last read began. */
  const changedCodes = new Set<string>();
  const changedPrograms = new Set<number>();

  async function reload(): Promise<void> {
    changedCodes.clear();
    changedPrograms.clear();
    const links = await listNewestLinks(db, MAX_LINKS);
    const found = await listProgramsById(db, [...new Set(links.map(({ programId }) => programId!))]);
    codes = new Map(links.map((link) => [link.shortLink, { link, aliases: [] }]));
    programs = new Map(found.map((program) => [program.id, program]));
    onlyId = found.length === 1 && links.length < MAX_LINKS ? found[0]!.id : undefined;
    for (const code of changedCodes) codes.delete(code);
    for (const id of [...changedPrograms]) dropProgram(id);
  }

  async function reloadPrograms(): Promise<void> {
    const ids = [...changedPrograms];
    changedPrograms.clear();
    for (const program of await listProgramsById(db, ids)) {
      if (!changedPrograms.has(program.id)) programs.set(program.id, program);
    }
  }

  const follow = afterAWhile(RELOAD_MS, reload);
  const followPrograms = afterAWhile(RELOAD_PROGRAMS_MS, reloadPrograms);

  /** Calls within the time share one read. */
  function afterAWhile(ms: number, read: () => Promise<void>): () => void {
    let isDue = false;
    return () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        read().catch((error) => log.warn({ err: error }, 'Could not read links in advance'));
      }, ms).unref();
    };
  }

  function dropProgram(id: number): void {
    programs.delete(id);
    changedPrograms.add(id);
    if (id !== onlyId) onlyId = undefined;
    followPrograms();
  }

  return {
    code: (code) => codes.get(code),
    program: (id) => programs.get(id),
    onlyProgram: () => (onlyId === undefined ? undefined : programs.get(onlyId)),
    dropCode(code) {
      codes.delete(code);
      changedCodes.add(code);
      follow();
    },
    dropProgram,
    clear() {
      codes.clear();
      programs.clear();
      follow();
    },
    reload,
    follow,
  };
}
