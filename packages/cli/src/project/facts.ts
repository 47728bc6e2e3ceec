import { manageProcessor, manageProgram, type ReplyOf } from '@svc/contract';
import { Failure } from '../failure.ts';
import type { Session } from '../session.ts';

/** What the generated files say about a program. */
export type Facts = {
  apiUrl: string;
  programId: number;
  name: string;
  domain: string;
  commission: string;
  cookieDays: number;
  leadAuth: string;
  origins: string[];
  stripeAccountId: string;
  stripeConnected: boolean;
};

type Processor = ReplyOf<typeof manageProcessor>['data'];

/** Asks the service how the program is set up right now. */
export async function fetchFacts({ api }: Session, token: string, programId: number): Promise<Facts> {
  const call = { token, params: { program_id: programId } };
  const { data: program } = await api.call(manageProgram, call);
  const processor = await api.call(manageProcessor, call).catch(unlessRefused);
  return {
    apiUrl: api.apiUrl,
    programId,
    name: program.name,
    domain: program.domain,
    commission: program.commission,
    cookieDays: program.cookie_window_days,
    leadAuth: program.lead_auth,
    origins: program.allowed_origins,
    stripeAccountId: processor?.data.account_id ?? '',
    stripeConnected: processor?.data.status === 'connected',
  };
}

/** Only an owner may see the connection; for others the files say that none is known. */
function unlessRefused(error: unknown): { data: Processor } | undefined {
  if (error instanceof Failure && (error.parts.status === 403 || error.parts.status === 404)) return undefined;
  throw error;
}
