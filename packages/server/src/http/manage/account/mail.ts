import {
  errors,
  manageChangeEmail,
  manageConfirmEmail,
  manageMailSettings,
  manageSendVerification,
  manageUnsubscribe,
  manageUpdateMailSettings,
  OPTIONAL_MAIL_KINDS,
  type ReplyOf,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeMailPreference } from '../../../accounts/recovery/change-mail-preference.ts';
import { confirmAddress, mailVerification, startAddressChange } from '../../../accounts/recovery/confirm-address.ts';
import { listUnwantedKinds } from '../../../mail/preference-store.ts';
import { readUnsubscription } from '../../../mail/signed-link.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf, queryOf } from '../../body.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageMailRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageMailSettings, async (request) => {
    const { user } = await signedInUser(ctx, request);
    return toSettingsReply(user.id);
  });

  addRoute(app, manageUpdateMailSettings, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const { kind, on } = bodyOf(manageUpdateMailSettings, request);
    await changeMailPreference(ctx, { userId: user.id, kind, isWanted: on }, actor);
    return toSettingsReply(user.id);
  });

  addRoute(app, manageSendVerification, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    await mailVerification(ctx, user, actor);
    return { data: {} };
  });

  addRoute(app, manageChangeEmail, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const { email } = bodyOf(manageChangeEmail, request);
    await startAddressChange(ctx, user.id, email.toLowerCase(), actor);
    return { data: {} };
  });

  addRoute(app, manageConfirmEmail, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const { token } = bodyOf(manageConfirmEmail, request);
    return { data: { status: await confirmAddress(ctx, user.id, token, actor) } };
  });

  // Mail programs send a form, which says nothing that the link does not.
  app.register((unsubscribing, _options, done) => {
    unsubscribing.addContentTypeParser(FORM_TYPES, { parseAs: 'string' }, (_request, _body, parsed) =>
      parsed(null, {}),
    );
    addRoute(unsubscribing, manageUnsubscribe, async (request) => {
      const { token } = queryOf(manageUnsubscribe, request);
      const link = readUnsubscription(ctx.linkSecret, token);
      if (!link) throw errors.unsubscribeLinkInvalid();
      // The person who has the mail acts for its recipient.
      const actor = { userId: link.userId, requestId: request.id };
      await changeMailPreference(ctx, { ...link, isWanted: false }, actor);
      return { data: { kind: link.kind } };
    });
    done();
  });

  async function toSettingsReply(userId: string): Promise<ReplyOf<typeof manageMailSettings>> {
    const unwanted = await listUnwantedKinds(ctx.db, userId);
    return {
      data: {
        sends_mail: ctx.mail !== undefined,
        kinds: OPTIONAL_MAIL_KINDS.map((kind) => ({ kind, on: !unwanted.includes(kind) })),
      },
    };
  }
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];
