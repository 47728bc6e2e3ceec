import { manageSecondFactors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { hasAuthenticatorApp, listPasskeys } from '../../../accounts/factors/second-factor-store.ts';
import { addRoute } from '../../add-route.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';

const UNNAMED = 'Passkey';

export function addManageSecondFactorRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageSecondFactors, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const [hasApp, passkeys] = [await hasAuthenticatorApp(ctx.db, user.id), await listPasskeys(ctx.db, user.id)];
    return {
      data: {
        authenticator_app: hasApp,
        recovery_codes_left: hasApp ? await recoveryCodesLeft(user.id) : null,
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
          id,
          name: name ?? UNNAMED,
          created_at: createdAt?.toISOString() ?? null,
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
      },
    };
  });

  /** The codes are encrypted, and only the sign-in library can read them. */
  async function recoveryCodesLeft(userId: string): Promise<number> {
    const { backupCodes } = await ctx.signIn.api.viewBackupCodes({ body: { userId } });
    return backupCodes.length;
  }
}
