import { SAMPLE_POSTBACK } from '@svc/contract';
import { OPERATOR } from '../../../../server/src/audit/audit-store.ts';
import { addCoupon } from '../../../../server/src/coupons/add-coupon.ts';
import { updatePartnerUser } from '../../../../server/src/partners/partner-account-store.ts';
import { insertCalls } from '../../../../server/src/postbacks/call-store.ts';
import { upsertPostback } from '../../../../server/src/postbacks/postback-store.ts';
import type { OwnedProgram } from '../../accounts.ts';
import type { TestProgram, TestService } from '../../service.ts';
import { newId } from '../../sold.ts';
import type { RequestParts } from './parts.ts';

export const LINK_REQUESTS: RequestParts = {
  bodies: {
    manageAddLink: (_service, { partnerId }) => ({ partner_id: partnerId }),
    manageUpdateLink: () => ({ active: false }),
    manageAddCoupon: (_service, { partnerId }) => ({ code: newId('code'), partner_id: partnerId }),
    manageUpdateCoupon: () => ({ active: false }),
    manageSavePostback: () => ({ url: 'https://tracker.example/postback?click={click_id}&status={status}' }),
    manageAskAboutOrder: (_service, { partnerId }) => ({ transaction_id: 'order-1', partner_id: partnerId }),
  },
  params: { link_id: linkIdOf, coupon_id: couponIdOf, joined_program_id: joinedProgramOf },
};

/** The id of a coupon of the program's partner. */
export function couponIdOf(service: TestService, { program, partnerId }: TestProgram): Promise<number> {
  return addCoupon(service.ctx, program, { code: newId('code'), partnerId }, OPERATOR);
}

/** The id of the link of the program's partner. */
export async function linkIdOf(service: TestService, { link }: TestProgram): Promise<number> {
  const [row] = await service.sql<{ id: number }>('select id from links where short_link = $1', [link]);
  return row?.id ?? 0;
}

/** The id of another program of the workspace. Its partner is the owner, and has a postback that was called. */
export async function joinedProgramOf(service: TestService, { workspaceId, owner }: OwnedProgram): Promise<number> {
  const [known] = await service.sql<{ programId: number; partnerId: number }>(
    `select m.program_id as "programId", m.partner_id as "partnerId" from partners p
     join memberships m on m.partner_id = p.id where p.user_id = $1 and p.advertiser_id = $2`,
    [owner.userId, workspaceId],
  );
  const { programId, partnerId } = known ?? (await newlyJoined(service, workspaceId));
  await updatePartnerUser(service.ctx.db, partnerId, owner.userId, service.ctx.now());
  const of = { programId, partnerId, userId: owner.userId };
  const url = 'https://tracker.invalid/postback?click={click_id}';
  const postback = { method: 'GET', url, status: 'disabled' } as const;
  await upsertPostback(service.ctx.db, of, postback, service.ctx.now());
  const [{ id: postbackId }] = (await service.sql('select id from postbacks where program_id = $1', [programId])) as [
    { id: number },
  ];
  const call = { postbackId, event: 'created', values: SAMPLE_POSTBACK, customerId: null } as const;
  await insertCalls(service.ctx.db, [call], service.ctx.now());
  return programId;
}

async function newlyJoined(service: TestService, workspaceId: number) {
  const { program, partnerId } = await service.program({ workspaceId });
  return { programId: program.id, partnerId };
}
