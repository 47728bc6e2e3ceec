import { manageAddPartner, managePartners } from '@svc/contract';
import { type ListOptions, listRows } from '../list-rows.ts';
import { table } from '../output.ts';
import { accountToken, programOf, type Session } from '../session.ts';

type Options = { program?: string };

/** Lists the newest partners of the program, or all of them. */
export async function listPartners(session: Session, options: ListOptions): Promise<void> {
  const data = await listRows(session, managePartners, options);
  const rows = data.map(({ id, name, email, status }) => [String(id), name, email, status]);
  session.out.result(data, rows.length > 0 ? table(rows) : 'No partners yet. Add one with `svc partners add`.');
}

/** Adds a partner and prints the invitation to the partner portal. */
export async function addPartner(
  session: Session,
  options: Options & { name: string; email: string; externalId?: string },
): Promise<void> {
  const { data } = await session.api.call(manageAddPartner, {
    params: programOf(session, options),
    token: await accountToken(session),
    body: { name: options.name, email: options.email, external_id: options.externalId },
  });
  session.out.result(data, [
    `Added partner ${data.id}, ${data.name} (${data.email}).`,
    ...(data.invite_url ? [`Invitation to the partner portal: ${data.invite_url}`] : []),
    `Next: run \`svc links add --partner ${data.id}\` for a referral link.`,
  ]);
}
