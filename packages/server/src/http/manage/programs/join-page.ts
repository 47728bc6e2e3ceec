import {
  type Complete,
  manageJoinPage,
  manageRemoveLogo,
  manageSetLogo,
  manageUpdateJoinPage,
  type ReplyOf,
} from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { changeJoinPage, changeLogo, type JoinPage } from '../../../programs/change-join-page.ts';
import { findAgreement } from '../../../programs/join-page-store.ts';
import { logoUrl } from '../../assets/logos.ts';
import { bodyOf } from '../../body.ts';
import { addProgramRoute } from '../../callers/program-access.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageJoinPageRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageJoinPage, async ({ program }) =>
    toReply({ program, agreement: await findAgreement(ctx.db, program.id) }),
  );

  addProgramRoute(app, ctx, manageUpdateJoinPage, async ({ program, userId, actor }, request) => {
    const body = bodyOf(manageUpdateJoinPage, request);
    const changes = {
      brandColor: body.brand_color,
      questions: body.questions,
      agreement: body.agreement,
    } satisfies Complete<typeof body>;
    return toReply(await changeJoinPage(ctx, program.id, changes, { ...actor, userId }));
  });

  addProgramRoute(app, ctx, manageSetLogo, async ({ program, actor }, request) =>
    toReply(await changeLogo(ctx, program.id, bodyOf(manageSetLogo, request).image, actor)),
  );

  addProgramRoute(app, ctx, manageRemoveLogo, async ({ program, actor }) =>
    toReply(await changeLogo(ctx, program.id, null, actor)),
  );

  function toReply({ program, agreement }: JoinPage): ReplyOf<typeof manageJoinPage> {
    return {
      data: {
        brand_color: program.brandColor,
        logo_url: logoUrl(ctx, program),
        questions: program.questions,
        agreement: agreement && {
          version: agreement.version,
          text: agreement.text,
          created_at: agreement.createdAt.toISOString(),
        },
      },
    };
  }
}
