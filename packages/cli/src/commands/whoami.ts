import { manageMe } from '@svc/contract';
import { accountToken, type Session } from '../session.ts';

/** Tells who is signed in. */
export async function whoami(session: Session): Promise<void> {
  const { data } = await session.api.call(manageMe, { token: await accountToken(session) });
  const { user, role, advertiser_id: advertiserId } = data;
  const place = role === null ? 'no workspace' : `${role} of workspace ${advertiserId}`;
  session.out.result(
    { ...data, api_url: session.api.apiUrl },
    `${user.name} <${user.email}>, ${place}, at ${session.api.apiUrl}`,
  );
}
