import { cliAuthCallback, cliAuthPoll, cliAuthStart } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { completeCliLogin } from '../../accounts/cli-logins/complete-cli-login.ts';
import { pollCliLogin } from '../../accounts/cli-logins/poll-cli-login.ts';
import { startCliLogin } from '../../accounts/cli-logins/start-cli-login.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf, queryOf } from '../body.ts';
import type { ServiceContext } from '../service-context.ts';

export function addCliAuthRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, cliAuthStart, async (request) => {
    const { device_name: deviceName = null } = bodyOf(cliAuthStart, request);
    const { state, userCode, expiresAt } = await startCliLogin(ctx, deviceName);
    const query = `state=${encodeURIComponent(state)}`;
    return {
      data: {
        state,
        auth_url: `${ctx.baseUrl}/cli/login?${query}`,
        poll_url: `${ctx.baseUrl}${cliAuthPoll.path}?${query}`,
        expires_at: expiresAt.toISOString(),
        user_code: userCode,
      },
    };
  });

  addRoute(app, cliAuthCallback, async (request) => {
    const { state, id_token: idToken, user_code: userCode } = bodyOf(cliAuthCallback, request);
    await completeCliLogin(ctx, { state, idToken, userCode, requestId: request.id });
    return { data: { status: 'complete' as const } };
  });

  addRoute(app, cliAuthPoll, async (request) => {
    const login = await pollCliLogin(ctx, queryOf(cliAuthPoll, request).state, request.id);
    if (login.status !== 'complete') return { data: { status: login.status } };
    const { status, token, email, workspaceId } = login;
    return { data: { status, token, email, advertiser_id: workspaceId } };
  });
}
