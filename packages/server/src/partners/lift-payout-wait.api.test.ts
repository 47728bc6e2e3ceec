import {
  manage,
  memberOf,
  newAccount,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
} from '@svc/testkit/service/accounts.ts';
import { newAuthenticatorApp } from '@svc/testkit/service/authenticator.ts';
import { giveHeldMethod, giveMethod } from '@svc/testkit/service/payout-methods.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';
import { listPartnerMethods } from '../payout-methods/payout-method-store.ts';
import { updatePartnerUser } from './partner-account-store.ts';

// Nothing listens there, so that everything that is queued stays in the queue.
const service = useService({ SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Partners <partners@mail.test>' });

const REASON = 'They told us on the phone';
const lift = (made: OwnedProgram, key = made.owner.token, body: object = { reason: REASON }) =>
  service.call('POST', manage(made, `/partners/${made.partnerId}/payout-method/lift`), { key, body });
const shownTo = async (made: OwnedProgram) =>
  (await service.call('GET', manage(made, `/partners/${made.partnerId}`), { key: made.owner.token })).body.data
    .payout_method;
const usableFrom = async (made: OwnedProgram, programId = made.program.id) =>
  (await listPartnerMethods(service.ctx.db, programId, [made.partnerId]))[0]?.usableFrom;
const inHours = (hours: number) => new Date(service.time.getTime() + hours * 3_600_000);
const refused = (status: number, name: string, message: string, details = {}) => ({
  status,
  body: platformError(status, name, message, details),
});
const NOTHING = refused(
  409,
  'ConflictError',
  'There is nothing to lift: this program can already pay to the method of this partner, or the partner has none.',
);

/** A program whose owner has a second factor, and whose partner has just changed their method. */
async function heldProgram() {
  const made = await ownedProgram(service);
  await newAuthenticatorApp(service, made.owner.userId);
  const partner = await giveHeldMethod(service, made);
  return { made, partner };
}

describe('the wait of a changed method', () => {
  it('is lifted by an owner with a second factor, for one program, with a reason; the partner is told', async () => {
    const { made, partner } = await heldProgram();
    const sibling = await service.program({ workspaceId: made.workspaceId });
    await service.sql('insert into memberships (program_id, partner_id, created_at) values ($1, $2, $3)', [
      sibling.program.id,
      made.partnerId,
      service.time,
    ]);
    expect(await shownTo(made)).toEqual({ kind: 'iban', masked: 'DE****3000', usable_from: inHours(72).toISOString() });
    const before = inHours(72).toISOString();
    const changedAt = service.time.toISOString();
    service.advance({ seconds: 60 });
    const answer = await lift(made);
    const lifted = { kind: 'iban', masked: 'DE****3000', usable_from: changedAt };
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { data: lifted } });
    expect(await shownTo(made)).toEqual(lifted);
    expect(await usableFrom(made, sibling.program.id)).toEqual(new Date(before));
    const [row] = (await service.call('GET', '/api/v1/manage/audit?limit=1', { key: made.owner.token })).body.data;
    expect(row).toMatchObject({
      action: 'partner.payout_wait_lifted',
      sentence: `Robin (account token) let payouts use the changed payout method of the partner Jane at once: ${REASON}`,
      program_id: made.program.id,
      subject: 'partner',
      subject_id: String(made.partnerId),
      before: { usable_from: before },
      after: { payout_method: 'iban DE****3000', reason: REASON },
    });
    const mails = await service.sql(
      `select kind, program_id as "programId" from mails where user_id = $1 and kind = 'payout_wait_lifted'`,
      [partner.userId],
    );
    expect(mails).toEqual([{ kind: 'payout_wait_lifted', programId: made.program.id }]);
    expect(await lift(made)).toMatchObject(NOTHING);
  });

  it('is not lifted for a method that the partner changes afterwards', async () => {
    const { made, partner } = await heldProgram();
    await lift(made);
    service.advance({ seconds: 60 });
    await giveMethod(service, partner.userId, { kind: 'paypal', email: 'thief@paypal.test' });
    expect(await usableFrom(made)).toEqual(inHours(72));
  });

  it('is refused without a second factor: 403 that says what to do, and nothing changes', async () => {
    const made = await ownedProgram(service);
    await giveHeldMethod(service, made);
    expect(await lift(made)).toMatchObject(
      refused(
        403,
        'ForbiddenError',
        'Only an owner with a second factor can lift the wait. Set one up under Account settings, then try again.',
      ),
    );
    expect(await usableFrom(made)).toEqual(inHours(72));
  });

  it('is refused to everyone but owners: 403 for admins, 404 for the partner and for strangers', async () => {
    const { made, partner } = await heldProgram();
    const member = await memberOf(service, made.workspaceId, 'member');
    const stranger = await ownedProgram(service);
    for (const { userId } of [member, stranger.owner, partner]) await newAuthenticatorApp(service, userId);
    expect(await lift(made, member.token)).toMatchObject(
      refused(403, 'ForbiddenError', 'Only a workspace owner can do this'),
    );
    for (const { token } of [partner, stranger.owner]) expect((await lift(made, token)).status).toBe(404);
    expect(await usableFrom(made)).toEqual(inHours(72));
  });

  it('is refused without a reason, for a partner without a method, and when the wait is over', async () => {
    const { made } = await heldProgram();
    expect(await lift(made, made.owner.token, { reason: '  ' })).toMatchObject(
      refused(400, 'BadRequestError', 'reason is required', { field: 'reason' }),
    );
    const other = { ...made, ...(await service.partner(made.program)) };
    expect(await lift(other)).toMatchObject(NOTHING);
    await giveMethod(service, (await partnerAccount(service, other.partnerId)).userId);
    expect(await lift(other)).toMatchObject(NOTHING);
    service.advance({ days: 3 });
    expect(await lift(made)).toMatchObject(NOTHING);
  });

  it('is not lifted if the partner has changed the method since the owner looked', async () => {
    const { made, partner } = await heldProgram();
    const { usable_from } = await shownTo(made);
    service.advance({ seconds: 1 });
    await giveMethod(service, partner.userId, { kind: 'paypal', email: 'thief@paypal.test' });
    expect(await lift(made, made.owner.token, { reason: REASON, usable_from })).toMatchObject(
      refused(
        409,
        'ConflictError',
        'The partner has changed the payout method in the meantime. Look at the new one, and ask the partner about it.',
        { field: 'usable_from' },
      ),
    );
    expect(await usableFrom(made)).toEqual(inHours(72));
    const seen = { reason: REASON, usable_from: (await shownTo(made)).usable_from };
    expect((await lift(made, made.owner.token, seen)).status).toBe(200);
  });
});

describe('a partner who was handed over', () => {
  it('waits 72 hours for the method of the new account, which an owner can lift', async () => {
    const { made } = await heldProgram();
    const next = await newAccount(service);
    await giveMethod(service, next.userId);
    service.advance({ days: 10 });
    await updatePartnerUser(service.ctx.db, made.partnerId, next.userId, service.time);
    expect(await usableFrom(made)).toEqual(inHours(72));
    expect((await lift(made)).status).toBe(200);
    expect((await usableFrom(made))! <= service.time).toBe(true);
  });

  it('waits again after each hand-over: a lift from before does not count', async () => {
    const { made, partner } = await heldProgram();
    expect((await lift(made)).status).toBe(200);
    const next = await newAccount(service);
    service.advance({ days: 10 });
    await updatePartnerUser(service.ctx.db, made.partnerId, next.userId, service.time);
    service.advance({ days: 10 });
    await updatePartnerUser(service.ctx.db, made.partnerId, partner.userId, service.time);
    expect(await usableFrom(made)).toEqual(inHours(72));
    expect((await lift(made)).status).toBe(200);
    expect((await usableFrom(made))! <= service.time).toBe(true);
  });
});
