import { manageMe } from '@svc/contract';
import { accountToken, type Session } from '../session.ts';

/** Shows who is signed in. */
export async function whoami(session: Session): Promise<void> {
  const { data } = await session.api.call(manageMe, { token: await accountToken(session) });
  const { user, role, advertiser_id: workspaceId } = data;
  const name = role === 'member' ? 'admin' : role;
  const workspace = name === null ? 'no workspace' : `${name} of workspace ${workspaceId}`;
  session.out.result(
    { ...data, api_url: session.api.apiUrl },
    `${user.name} <${user.email}>, ${workspace}, at ${session.api.apiUrl}`,
  );
}
