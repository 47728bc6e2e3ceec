import { hasOwnTracker, type ProgramTracker } from '@svc/contract';
import type { LookupCache } from '../../partners/lookup-cache.ts';
import type { Program } from '../../programs/program.ts';
import { type Asset, prepareAsset } from './asset.ts';
import { readTrackerScript } from './package-folders.ts';

export type ProgramScripts = (kind: ProgramScriptKind, programId: number) => Promise<Asset | null>;

export type ProgramScriptKind = keyof typeof FILES;
const FILES = { plain: 'svc-tracker-program.js', stripe: 'svc-tracker-stripe-program.js' };

/** The tracker of a program that has options of its own, with these written into it; null for other programs. */
export function createProgramScripts(lookup: LookupCache, reportPath: string): ProgramScripts {
  // The lookup cache keeps a program until it changes, and so do these.
  const built = { plain: new WeakMap<Program, Promise<Asset>>(), stripe: new WeakMap<Program, Promise<Asset>>() };
  return async (kind, programId) => {
    const program = await lookup.program(programId);
    if (!program || !hasOwnTracker(trackerOf(program))) return null;
    const asset = built[kind].get(program) ?? buildScript(kind, program, reportPath);
    built[kind].set(program, asset);
    return asset;
  };
}

function trackerOf({ linkParameters, cookieWindowDays }: Program): ProgramTracker {
  return { link_parameters: linkParameters, cookie_window_days: cookieWindowDays };
}

async function buildScript(kind: ProgramScriptKind, program: Program, reportPath: string): Promise<Asset> {
  const { body } = await readTrackerScript(FILES[kind], reportPath);
  const { link_parameters: linkParameters, cookie_window_days: cookieDays } = trackerOf(program);
  const options = { linkParameters, cookieDays };
  const script = body.toString().replace('SVC_PROGRAM', () => JSON.stringify(options));
  return prepareAsset(Buffer.from(script), 'text/javascript; charset=utf-8');
}
