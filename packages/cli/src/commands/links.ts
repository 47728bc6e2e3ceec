import { manageAddLink, manageLinks, manageTestLink } from '@svc/contract';
import { wrongUsage } from '../failure.ts';
import { type ListOptions, listRows } from '../list-rows.ts';
import { table } from '../output.ts';
import { accountToken, programOf, type Session } from '../session.ts';

type Options = { program?: string };
type NewLink = Options & { partner?: string; test?: boolean; shortLink?: string; to?: string; label?: string };

/** Lists the newest referral links of the program, or all of them. */
export async function listLinks(session: Session, options: ListOptions): Promise<void> {
  const data = await listRows(session, manageLinks, options);
  const rows = data.map(({ url, partner_name: partner, active }) => [url, partner, active ? 'active' : 'disabled']);
  session.out.result(data, rows.length > 0 ? table(rows) : 'No links yet. Add one with `svc links add`.');
}

/** Creates a referral link of a partner, or the test link, whose visitors count nowhere. */
export async function addLink(session: Session, options: NewLink): Promise<void> {
  const call = { params: programOf(session, options), token: await accountToken(session) };
  if (options.test) {
    const { data } = await session.api.call(manageTestLink, call);
    session.out.result(data, data.url);
    return;
  }
  const partnerId = Number(options.partner);
  if (!Number.isSafeInteger(partnerId) || partnerId < 1) {
    throw wrongUsage('Pass --partner <id>, or --test for the test link.', '`svc partners list` lists the partners.');
  }
  const { shortLink, to, label } = options;
  const body = { partner_id: partnerId, short_link: shortLink, destination_url: to, label };
  const { data } = await session.api.call(manageAddLink, { ...call, body });
  session.out.result(data, data.url);
}
