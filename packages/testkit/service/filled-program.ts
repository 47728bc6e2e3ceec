import { updatePartnerUser } from '../../server/src/partners/partner-account-store.ts';
import { insertAcceptedAgreement } from '../../server/src/partners/partner-details-store.ts';
import { changeJoinPage } from '../../server/src/programs/change-join-page.ts';
import { newAccount, type OwnedProgram, ownedProgram } from './accounts.ts';
import { publish } from './published-terms.ts';
import { newPasskey, newSession } from './routes/requests/account.ts';
import { importIdOf } from './routes/requests/imports.ts';
import { couponIdOf, joinedProgramOf } from './routes/requests/links.ts';
import { noteIdOf } from './routes/requests/partners.ts';
import { openPayout } from './routes/requests/payouts.ts';
import { processorEventIdOf } from './routes/requests/processors.ts';
import { JOIN_PAGE } from './routes/requests/programs.ts';
import { openInvitation } from './routes/requests/team.ts';
import { RULES } from './routes/requests/terms.ts';
import { viewIdOf } from './routes/requests/views.ts';
import type { TestService } from './service.ts';
import { sold } from './sold.ts';

/**
 * A program with a row in every list: sales of this month and of the previous one, a refund, an open payout, an event of
 * the payment processor, an invitation, a coupon, a note, a saved view and a postback. Its owner is also a partner of another program, and used to be one
 * of a third.
 */
export async function filledProgram(service: TestService): Promise<OwnedProgram> {
  const made = await ownedProgram(service, { allowedOrigins: ['https://acme.test'], linkParameters: ['via'] });
  await sold(service, made);
  await publish(service, made, RULES);
  service.advance({ days: 31 });
  await service.customer(made, 'user-1');
  await service.click(
    { affiliate_url: `https://acme.test/?aff=${made.link}` },
    { headers: { origin: 'https://evil.test' } },
  );
  const { transactionId } = await sold(service, made, { customer_key: 'user-1' });
  await service.refund({ transaction_id: transactionId, refund_amount_cents: 100 }, { key: made.apiKey });
  await openPayout(service, made);
  await processorEventIdOf(service, made);
  await openInvitation(service, made.workspaceId);
  await noteIdOf(service, made);
  await couponIdOf(service, made);
  await importIdOf(service, made);
  await viewIdOf(service, made);
  await joinedProgramOf(service, made);
  await newSession(service, made.owner.userId);
  await newPasskey(service, made.owner.userId);
  const elsewhere = await service.program();
  for (const { program, partnerId } of [made, elsewhere]) {
    await fillMembership(service, { program, partnerId, owner: made.owner });
  }
  await updatePartnerUser(service.ctx.db, elsewhere.partnerId, made.owner.userId, service.ctx.now());
  const lost = await service.program();
  for (const { userId } of [made.owner, await newAccount(service)]) {
    await updatePartnerUser(service.ctx.db, lost.partnerId, userId, service.ctx.now());
  }
  // Reports do not include the current moment.
  service.advance({ seconds: 3600 });
  return made;
}

type Membership = Pick<OwnedProgram, 'program' | 'partnerId' | 'owner'>;

/** Gives the program a join page, and its partner an answer from there and an accepted agreement. */
async function fillMembership(service: TestService, { program, partnerId, owner }: Membership): Promise<void> {
  const { brand_color: brandColor, ...page } = JOIN_PAGE;
  const actor = { userId: owner.userId, requestId: null };
  await changeJoinPage(service.ctx, program.id, { brandColor, ...page }, actor);
  await service.sql(
    `update memberships set answers = '[{"question": "Where?", "answer": "Blog"}]' where partner_id = $1`,
    [partnerId],
  );
  const accepted = { programId: program.id, partnerId, version: 1, userId: owner.userId };
  await insertAcceptedAgreement(service.ctx.db, accepted, service.ctx.now());
}
