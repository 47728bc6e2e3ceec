import type { LookupCache } from '../../partners/lookup-cache.ts';
import type { Program } from '../../programs/program.ts';
import { type Asset, prepareAsset } from './asset.ts';
import { readTrackerScript } from './package-folders.ts';

export type ProgramScripts = (kind: ProgramScriptKind, programId: number) => Promise<Asset | null>;

export type ProgramScriptKind = keyof typeof FILES;
const FILES = { plain: 'svc-tracker-program.js', stripe: 'svc-tracker-stripe-program.js' };

/** The tracker of a program, with its options written into it; null if there is no such program. */
export function createProgramScripts(lookup: LookupCache, reportPath: string): ProgramScripts {
  // The lookup cache keeps a program until it changes, and so do these.
  const built = { plain: new WeakMap<Program, Promise<Asset>>(), stripe: new WeakMap<Program, Promise<Asset>>() };
  return async (kind, programId) => {
    const program = await lookup.program(programId);
    if (!program) return null;
    const asset = built[kind].get(program) ?? buildScript(kind, program, reportPath);
    built[kind].set(program, asset);
    return asset;
  };
}

async function buildScript(
  kind: ProgramScriptKind,
  { linkParameters, cookieWindowDays: cookieDays }: Program,
  reportPath: string,
): Promise<Asset> {
  const { body } = await readTrackerScript(FILES[kind], reportPath);
  const options = { linkParameters, cookieDays };
  const script = body.toString().replace('SVC_PROGRAM', () => JSON.stringify(options));
  return prepareAsset(Buffer.from(script), 'text/javascript; charset=utf-8');
}
