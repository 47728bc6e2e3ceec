import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { TWO_FACTOR_ERROR_CODES } from 'better-auth/plugins';

/**
 * The header in which the edge says for which user it has counted the attempt at a code. The edge drops any value that the
 * client sent.
 */
export const COUNTED_FOR_HEADER = 'x-svc-counted-for';

/** What the library calls the cookie of a sign-in that waits for the second factor, without its prefixes. */
const CHALLENGE_COOKIE = 'two_factor';

/**
 * Says whose code a request tries, read as the library reads it. The library then checks a code only for the user for whom the
 * attempt was counted, even if a session ends in between.
 */
export function createCodeOwnerPlugin() {
  return {
    id: 'code-owner',
    endpoints: {
      findCodeOwner: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, async (call) => ({
        userId: await findCodeOwner(call),
      })),
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path?.startsWith('/two-factor/verify-') ?? false,
          handler: createAuthMiddleware(async (call) => {
            const userId = await findCodeOwner(call);
            if (userId !== null && userId === call.headers?.get(COUNTED_FOR_HEADER)) return;
            throw APIError.from('UNAUTHORIZED', TWO_FACTOR_ERROR_CODES.INVALID_TWO_FACTOR_COOKIE);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** The user of the session or, during a sign-in, the one who has given their password. */
async function findCodeOwner(call: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(call, { disableRefresh: true });
  if (session) return session.user.id;
  const { createAuthCookie, secret, internalAdapter } = call.context;
  const challenge = await call.getSignedCookie(createAuthCookie(CHALLENGE_COOKIE).name, secret);
  return challenge ? ((await internalAdapter.findVerificationValue(challenge))?.value ?? null) : null;
}
