import { manageProcessor, manageProgram, newestPackages, type PackageUrls, type ReplyOf } from '@svc/contract';
import type { ApiClient } from '../api/client.ts';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';

/** What the generated files say about a program. */
export type ProgramFacts = {
  apiUrl: string;
  packages: PackageUrls;
  programId: number;
  name: string;
  domain: string;
  commission: string;
  cookieDays: number;
  leadAuth: string;
  origins: string[];
  linkParameters: string[];
  stripeAccountId: string;
  stripeConnected: boolean;
  /** Where the site's own server passes on what the tracker reports; null if it does not. */
  relayPath: string | null;
};

type Processor = ReplyOf<typeof manageProcessor>['data'];

/** Fetches the program's current settings. */
export async function fetchProgramFacts(
  { api }: Session,
  token: string,
  { programId, relayPath }: Pick<ProgramFacts, 'programId' | 'relayPath'>,
): Promise<ProgramFacts> {
  const call = { token, params: { program_id: programId } };
  const { data: program } = await api.call(manageProgram, call);
  const processor = await api.call(manageProcessor, call).catch(ignoreForbidden);
  return {
    apiUrl: api.apiUrl,
    packages: await fetchPackages(api),
    programId,
    name: program.name,
    domain: program.domain,
    commission: program.commission,
    cookieDays: program.cookie_window_days,
    leadAuth: program.lead_auth,
    origins: program.allowed_origins,
    // A service of an earlier release has none.
    linkParameters: program.link_parameters ?? [],
    stripeAccountId: processor?.data.account_id ?? '',
    stripeConnected: processor?.data.status === 'connected',
    relayPath,
  };
}

/** Only owners may read the processor connection; for others the files say that none is connected. */
function ignoreForbidden(error: unknown): { data: Processor } | undefined {
  if (error instanceof Failure && (error.parts.status === 403 || error.parts.status === 404)) return undefined;
  throw error;
}

/** Where the packages of this release are, for good; of a service that does not say so, the newest ones. */
async function fetchPackages({ apiUrl, send }: ApiClient): Promise<PackageUrls> {
  const response = await send(new URL(`${apiUrl}/packages.json`), { method: 'GET' });
  const listed = (await response.json().catch(() => ({}))) as Partial<Record<string, { immutable_url?: string }>>;
  const newest = newestPackages(apiUrl);
  return {
    tracker: listed.tracker?.immutable_url ?? newest.tracker,
    node: listed.node?.immutable_url ?? newest.node,
  };
}
