import { MAX_PROCESSOR_SECRETS } from '@svc/contract';
import { fingerprints, manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { connectStripe, newId, SECRET, StripeEvents, settle, signed } from '@svc/testkit/service/payments/stripe.ts';
import { platformError, TestService, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../audit/audit-store.ts';
import { assignAccount } from './connect-processor.ts';

const service = useService();
afterEach(() => settle(service));

const conflict = (message: string) => ({ status: 409, body: platformError(409, 'ConflictError', message) });
const call = (made: OwnedProgram, method: string, rest = '', body?: object) =>
  service.call(method, manage(made, `/processor${rest}`), { key: made.owner.token, body });
const add = (made: OwnedProgram, webhook_secret: string, parts: object = {}) =>
  call(made, 'POST', '/secrets', { provider: 'stripe', webhook_secret, ...parts });
const state = async (made: OwnedProgram) => (await call(made, 'GET')).body.data;

/** A program connected with `SECRET`. */
async function connected(): Promise<OwnedProgram> {
  const made = await ownedProgram(service);
  await connectStripe(service, made);
  return made;
}

async function sendSigned({ program }: OwnedProgram, secret: string, livemode = true): Promise<number> {
  const body = JSON.stringify(new StripeEvents('2026', service.time).event('customer.created', {}, livemode));
  const headers = signed(body, service.time, secret);
  return (await service.call('POST', `/api/v1/webhooks/stripe/${program.id}`, { body, headers })).status;
}

describe('POST /api/v1/manage/programs/:id/processor/secrets', () => {
  it('adds a secret; events signed with the old one or the new one are accepted', async () => {
    const made = await connected();
    const { status, body } = await add(made, 'whsec_the_test_endpoint', { label: ' test ' });
    expect(status).toBe(201);
    expect(body.data.secrets).toEqual([
      expect.objectContaining({ label: null, last_four: SECRET.slice(-4) }),
      {
        id: expect.any(Number),
        label: 'test',
        last_four: 'oint',
        test_mode: false,
        created_at: service.time.toISOString(),
        last_used_at: null,
      },
    ]);
    const statuses = [SECRET, 'whsec_the_test_endpoint', 'whsec_of_nobody'].map((secret) => sendSigned(made, secret));
    expect(await Promise.all(statuses)).toEqual([200, 200, 400]);
  });

  it('shows when each secret was last used, to the minute', async () => {
    const made = await connected();
    await add(made, 'whsec_second');
    const used = async () =>
      (await state(made)).secrets.map(({ last_used_at }: { last_used_at: string | null }) => last_used_at);
    const first = service.time.toISOString();
    await sendSigned(made, 'whsec_second');
    expect(await used()).toEqual([null, first]);
    service.advance({ seconds: 30 });
    await sendSigned(made, 'whsec_second');
    expect(await used()).toEqual([null, first]);
    service.advance({ seconds: 31 });
    await sendSigned(made, 'whsec_second');
    expect(await used()).toEqual([null, service.time.toISOString()]);
  });

  it('events signed with a secret that is marked as test are tests, even if they say that they are live', async () => {
    const made = await connected();
    await add(made, 'whsec_marked', { test_mode: true });
    await sendSigned(made, 'whsec_marked');
    await sendSigned(made, SECRET);
    const rows = await service.sql('select is_live from processor_events where program_id = $1 order by id', [
      made.program.id,
    ]);
    expect(rows).toEqual([{ is_live: false }, { is_live: true }]);
  });

  it('409 for a secret that is already stored, and for one too many; nothing changes', async () => {
    const made = await connected();
    expect(await add(made, SECRET)).toMatchObject(conflict('This signing secret is already stored'));
    for (let count = 1; count < MAX_PROCESSOR_SECRETS; count += 1) await add(made, `whsec_${count}`);
    const before = await fingerprints(service);
    const message = 'A connection has at most 5 signing secrets. Remove one that is no longer used.';
    expect(await add(made, 'whsec_one_more')).toMatchObject(conflict(message));
    expect(await fingerprints(service)).toEqual(before);
  });

  it('of ten concurrent additions, as many as fit are stored', async () => {
    const made = await connected();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => add(made, `whsec_race_${index}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_PROCESSOR_SECRETS - 1);
    expect((await state(made)).secrets).toHaveLength(MAX_PROCESSOR_SECRETS);
  });

  it('404 if the processor is not connected', async () => {
    const made = await ownedProgram(service);
    const message = 'No payment processor is connected. Connect one in the dashboard: program Settings, Payments.';
    expect(await add(made, 'whsec_a')).toMatchObject({
      status: 404,
      body: platformError(404, 'NotFoundError', message),
    });
  });

  it.each(['whsec_', 'whsec_…', 'whsec_abc def'])('refuses %s, which is not complete', async (value) => {
    expect(await add(await connected(), value)).toMatchObject({
      status: 400,
      body: badRequest(
        expect.stringMatching(/^webhook_secret is not complete\. Stripe shows the signing secret under /),
      ),
    });
  });

  it('a refused value is not repeated in the answer or the log', async () => {
    const made = await connected();
    const answer = await add(made, 'sk_live_keep_this_to_yourself');
    expect(answer).toMatchObject({
      status: 400,
      body: badRequest(expect.stringContaining('is a secret API key (sk_…)')),
    });
    expect(answer.text + service.logLines.join('\n')).not.toContain('keep_this');
  });
});

describe('DELETE /api/v1/manage/programs/:id/processor/secrets/:id', () => {
  const idsOf = async (made: OwnedProgram): Promise<number[]> =>
    (await state(made)).secrets.map(({ id }: { id: number }) => id);

  it('removes a secret: events signed with it are refused, the others are still accepted', async () => {
    const made = await connected();
    await add(made, 'whsec_rolling');
    const [old] = await idsOf(made);
    const { status, body } = await call(made, 'DELETE', `/secrets/${old}`);
    expect({ status, left: body.data.secrets }).toMatchObject({ status: 200, left: [{ last_four: 'ling' }] });
    expect([await sendSigned(made, SECRET), await sendSigned(made, 'whsec_rolling')]).toEqual([400, 200]);
    expect((await call(made, 'DELETE', `/secrets/${old}`)).status).toBe(404);
  });

  it('409 for the last one, also if two are removed at once', async () => {
    const made = await connected();
    await add(made, 'whsec_second');
    const answers = await Promise.all((await idsOf(made)).map((id) => call(made, 'DELETE', `/secrets/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await state(made)).secrets).toHaveLength(1);
    const [last] = await idsOf(made);
    const message = 'This is the last signing secret. Add another one first, or disconnect the processor.';
    expect(await call(made, 'DELETE', `/secrets/${last}`)).toMatchObject(conflict(message));
  });

  it('409 for the last one if the account belongs to no platform of this installation', async () => {
    const alone = new TestService();
    await alone.open({ SVC_STRIPE_WEBHOOK_SECRET: '' });
    const made = await ownedProgram(alone);
    await connectStripe(alone, made, { accountId: newId('acct') });
    const processor = manage(made, '/processor');
    const key = made.owner.token;
    const [only] = (await alone.call('GET', processor, { key })).body.data.secrets;
    const { status } = await alone.call('DELETE', `${processor}/secrets/${only.id}`, { key });
    await alone.service.close();
    expect(status).toBe(409);
  });

  it('removes the last one if the secret of a platform signs', async () => {
    const made = await connected();
    await assignAccount(service.ctx, made.program, newId('acct'), OPERATOR);
    const [only] = await idsOf(made);
    expect((await call(made, 'DELETE', `/secrets/${only}`)).body.data).toMatchObject({
      status: 'connected',
      secrets: [],
    });
  });
});

describe('signature_mismatches', () => {
  it('counts requests whose signature fits no secret, with the time of the last one, until a secret is added', async () => {
    const made = await connected();
    expect((await state(made)).signature_mismatches).toBeNull();
    await sendSigned(made, 'whsec_of_another_endpoint');
    service.advance({ seconds: 20 });
    await sendSigned(made, 'whsec_of_another_endpoint');
    expect((await state(made)).signature_mismatches).toEqual({ count: 2, last_at: service.time.toISOString() });
    await add(made, 'whsec_of_another_endpoint');
    expect((await state(made)).signature_mismatches).toBeNull();
    expect(await sendSigned(made, 'whsec_of_another_endpoint')).toBe(200);
  });

  it('do not count requests without a signature', async () => {
    const made = await connected();
    const { status } = await service.call('POST', `/api/v1/webhooks/stripe/${made.program.id}`, { body: '{}' });
    expect(status).toBe(400);
    expect((await state(made)).signature_mismatches).toBeNull();
  });
});
