import { manageProgram, manageUpdateProgram, withoutWww } from '@svc/contract';
import { accountToken, programOf, type Session } from '../session.ts';

type Options = { program?: string };

/** Lists the origins whose pages may report, besides the program's own domain. */
export async function listOrigins(session: Session, options: Options): Promise<void> {
  const call = { params: programOf(session, options), token: await accountToken(session) };
  const { data } = await session.api.call(manageProgram, call);
  print(session, data);
}

/** Allows pages on these origins to report. Origins that are allowed already stay. */
export async function addOrigins(session: Session, options: Options, origins: string[]): Promise<void> {
  const { data } = await session.api.call(manageUpdateProgram, {
    params: programOf(session, options),
    token: await accountToken(session),
    body: { add_allowed_origins: origins },
  });
  print(session, data);
}

function print({ out }: Session, { id, domain, allowed_origins: origins }: Allowed): void {
  out.result({ program_id: id, domain, allowed_origins: origins }, [
    `https://${withoutWww(domain)} and its subdomains`,
    ...origins,
  ]);
}

type Allowed = { id: number; domain: string; allowed_origins: string[] };
