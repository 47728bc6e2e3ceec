import { cliPrograms } from '@svc/contract';
import { table } from '../output.ts';
import { accountToken, type Session } from '../session.ts';

/** Lists the account's programs. */
export async function programs(session: Session): Promise<void> {
  const { data } = await session.api.call(cliPrograms, { token: await accountToken(session) });
  const rows = data.map(({ id, name, domain, commission, partners }) => [
    String(id),
    name,
    domain,
    commission,
    `${partners} ${partners === 1 ? 'partner' : 'partners'}`,
  ]);
  session.out.result(data, rows.length > 0 ? table(rows) : 'No programs yet. Create one with `svc init`.');
}
