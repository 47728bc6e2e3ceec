import { createHmac } from 'node:crypto';
import { everythingStored, fingerprints } from '@svc/testkit/service/accounts.ts';
import {
  connectStripe,
  deliver,
  ledger,
  newId,
  SECRET,
  type StripeEvent,
  StripeEvents,
  send,
  settle,
  signed,
  stripeEvents,
} from '@svc/testkit/service/payments/stripe.ts';
import { platformError, type TestProgram, TestService, useService } from '@svc/testkit/service/service.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../audit/audit-store.ts';
import { assignAccount, connectProcessor } from '../../connections/connect-processor.ts';

const service = useService();
// Events that a test left unprocessed must not change what the next one compares.
afterEach(() => settle(service));

const TOO_OLD = platformError(
  400,
  'BadRequestError',
  'The signature is older than five minutes. The signing secret is right: check the clock of this server, and what delays its requests.',
);
const SIGNATURE = platformError(
  400,
  'BadRequestError',
  'The signature is missing, wrong or too old. Check the signing secret in the dashboard: program Settings, Payments.',
);
const NOT_AN_EVENT = platformError(
  400,
  'BadRequestError',
  'The request body is not an event of Stripe. Expected a JSON object with id, type and created, as Stripe’s webhooks send it.',
);
const TOO_LARGE = platformError(413, 'PayloadTooLargeError', 'Request body is larger than 1 MiB');
const NOT_CONNECTED = platformError(
  404,
  'NotFoundError',
  'No payment processor is connected. Connect one in the dashboard: program Settings, Payments.',
);
const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const ACCEPTED = { received: true, duplicate: false };
const KNOWN = { received: true, duplicate: true };

const events = stripeEvents(service);
const path = (id: number | string) => `/api/v1/webhooks/stripe/${id}`;
const post = (id: number | string, body: string, headers: Record<string, string>) =>
  service.call('POST', path(id), { body, headers });

async function connected(): Promise<TestProgram & { id: number }> {
  const made = await service.program();
  await connectStripe(service, made);
  await service.customer(made, 'user-1');
  return { ...made, id: made.program.id };
}

const paid = (cents = 5_000) => {
  const stripe = events();
  return stripe.event(
    'checkout.session.completed',
    stripe.session({ metadata: { svc_customer_key: 'user-1' }, cents }),
  );
};

const stored = (programId: number) =>
  service.sql('select event_id, type, is_live, state from processor_events where program_id = $1 order by id', [
    programId,
  ]);

describe('POST /api/v1/webhooks/stripe/:program_id', () => {
  it('accepts an event signed with the program’s secret, stores it and processes it after the response', async () => {
    const { id } = await connected();
    const event = paid();
    const { status, body, headers } = await send(service, id, event);
    expect({ status, body }).toEqual({ status: 200, body: ACCEPTED });
    expect(headers['x-request-id']).toBeTruthy();
    expect(Object.keys(headers).filter((name) => /access-control/.test(name))).toEqual([]);
    await settle(service);
    const row = { event_id: event.id, type: 'checkout.session.completed', is_live: true, state: 'done' };
    expect(await stored(id)).toEqual([row]);
    expect(await ledger(service, id)).toHaveLength(1);
  });

  describe('answers 400 and stores nothing but a count of mismatches for', () => {
    const text = JSON.stringify(paid(), null, 2);
    const header = (payload: string, secret?: string, at = service.time) => signed(payload, at, secret);
    const secondsAgo = (seconds: number) => new Date(service.time.getTime() - seconds * 1000);

    it.each<[string, () => [body: string, headers: Record<string, string>], object]>([
      ['no signature', () => [text, { 'content-type': 'application/json' }], SIGNATURE],
      ['an empty signature', () => [text, { ...header(text), 'stripe-signature': '' }], SIGNATURE],
      ['a nonsensical signature', () => [text, { ...header(text), 'stripe-signature': 't=now,v1=yes' }], SIGNATURE],
      ['a signature with another secret', () => [text, header(text, 'whsec_of_somebody_else')], SIGNATURE],
      ['a signature of another version only', () => [text, olderScheme(text)], SIGNATURE],
      ['a signature of another event', () => [text, header(JSON.stringify(paid()))], SIGNATURE],
      ['a signature older than five minutes', () => [text, header(text, SECRET, secondsAgo(301))], TOO_OLD],
      ['a body with one byte changed', () => [text.replace('5000', '5001'), header(text)], SIGNATURE],
      ['a body with one more byte', () => [`${text} `, header(text)], SIGNATURE],
      ['an empty body', () => ['', header('')], NOT_AN_EVENT],
      ['an empty body with the signature of another body', () => ['', header(text)], SIGNATURE],
      ['signed text that is not JSON', () => ['{"id":', header('{"id":')], NOT_AN_EVENT],
      ['signed JSON that is not an object', () => ['[1]', header('[1]')], NOT_AN_EVENT],
      ['signed null', () => ['null', header('null')], NOT_AN_EVENT],
      ...malformed().map(([flaw, event]): [string, () => [string, Record<string, string>], object] => [
        `an event with ${flaw}`,
        () => [JSON.stringify(event), header(JSON.stringify(event))],
        NOT_AN_EVENT,
      ]),
    ])('%s', async (_case, request, expected) => {
      const { id } = await connected();
      const before = await fingerprints(service);
      const answer = await post(id, ...request());
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: expected });
      expect(answer.headers['x-request-id']).toBeTruthy();
      expect(await fingerprints(service)).toEqual(before);
    });

    function olderScheme(payload: string) {
      const at = Math.floor(service.time.getTime() / 1000);
      const v0 = createHmac('sha256', SECRET).update(`${at}.${payload}`).digest('hex');
      return { ...header(payload), 'stripe-signature': `t=${at},v0=${v0}` };
    }

    function malformed(): [string, object][] {
      const event = paid();
      return [
        ['no id', { ...event, id: undefined }],
        ['an id that is a number', { ...event, id: 7 }],
        ['an id that cannot be stored', { ...event, id: 'evt_\0' }],
        ['an id of more than 255 characters', { ...event, id: 'x'.repeat(256) }],
        ['no type', { ...event, type: undefined }],
        ['no time', { ...event, created: undefined }],
        ['a time in words', { ...event, created: '2026-03-10T12:00:00Z' }],
        ['a time that is out of range', { ...event, created: 9e15 }],
      ];
    }
  });

  it('accepts a signature that is nearly five minutes old, and either of two during secret rotation', async () => {
    const { id } = await connected();
    const [first, second] = [JSON.stringify(paid()), JSON.stringify(paid())];
    const old = signed(first, new Date(service.time.getTime() - 299_000));
    expect(await post(id, first, old)).toMatchObject({ status: 200, body: ACCEPTED });
    const [other, own] = [signed(second, service.time, 'whsec_the_next_one'), signed(second, service.time)];
    const v1 = own['stripe-signature']?.split(',v1=')[1]?.split(',')[0];
    const both = { ...other, 'stripe-signature': `${other['stripe-signature']},v1=${v1}` };
    expect(await post(id, second, both)).toMatchObject({ status: 200, body: ACCEPTED });
  });

  it('answers 413 and stores nothing for more than 1 MiB, but accepts slightly less', async () => {
    const { id } = await connected();
    const event = paid();
    const large = (length: number) => JSON.stringify({ ...event, padding: 'x'.repeat(length) });
    const before = await fingerprints(service);
    const tooLarge = large(2_000_000);
    const refused = await post(id, tooLarge, signed(tooLarge, service.time));
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 413, body: TOO_LARGE });
    expect(refused.headers['x-request-id']).toBeTruthy();
    expect(await fingerprints(service)).toEqual(before);
    const body = large(900_000);
    expect(await post(id, body, signed(body, service.time))).toMatchObject({ status: 200, body: ACCEPTED });
    await settle(service);
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
    'ignores the content type %j',
    async (type) => {
      const { id } = await connected();
      const body = JSON.stringify(paid());
      const headers = { ...signed(body, service.time), 'content-type': type };
      expect(await post(id, body, headers)).toMatchObject({ status: 200, body: ACCEPTED });
    },
  );

  it('ignores the Authorization header', async () => {
    const { id } = await connected();
    const body = JSON.stringify(paid());
    const headers = { ...signed(body, service.time), authorization: 'Bearer svc_key_nobody' };
    expect(await post(id, body, headers)).toMatchObject({ status: 200, body: ACCEPTED });
  });

  it.each([
    ['an unknown program', '999999999', NOT_CONNECTED],
    ['an unknown payment processor', '../paypal/1', NOT_FOUND],
    ['the name of a processor in capitals', '../STRIPE/1', NOT_FOUND],
    ['a name that objects have', '../constructor/1', NOT_FOUND],
    ['an id that is not a number', 'abc', NOT_FOUND],
    ['zero', '0', NOT_FOUND],
    ['a number of too many digits', '99999999999999999999', NOT_FOUND],
  ])('answers 404 and stores nothing for %s', async (_case, id, expected) => {
    const body = JSON.stringify(paid());
    const before = await fingerprints(service);
    const answer = await post(id, body, signed(body, service.time));
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: expected });
    expect(await fingerprints(service)).toEqual(before);
  });

  it.each<[string, (made: TestProgram) => Promise<unknown>]>([
    ['was never connected', async () => {}],
    ['is connected through the platform, without its own secret', (made) => connectWithoutSecret(made, newId('acct'))],
  ])('answers 404 and stores nothing if the program %s', async (_case, prepare) => {
    const made = await service.program();
    await prepare(made);
    const body = JSON.stringify(paid());
    const answer = await post(made.program.id, body, signed(body, service.time));
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: NOT_CONNECTED });
    expect(await stored(made.program.id)).toEqual([]);
  });

  it('answers 200 to a redelivery and changes nothing', async () => {
    const { id } = await connected();
    const event = paid();
    await deliver(service, id, event);
    const before = await fingerprints(service);
    service.advance({ seconds: 3_600 });
    const again = await send(service, id, event);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: KNOWN });
    await settle(service);
    expect(await fingerprints(service)).toEqual(before);
  });

  it('stores one row and one sale for twenty concurrent deliveries', async () => {
    const { id } = await connected();
    const event = paid();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(service, id, event)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.duplicate === false)).toHaveLength(1);
    await settle(service);
    expect(await stored(id)).toHaveLength(1);
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it('stores an event for each of two programs that receive it', async () => {
    const [one, other] = [await connected(), await connected()];
    const event = paid();
    expect((await send(service, one.id, event)).body).toEqual(ACCEPTED);
    expect((await send(service, other.id, event)).body).toEqual(ACCEPTED);
    await settle(service);
    expect([(await stored(one.id)).length, (await stored(other.id)).length]).toEqual([1, 1]);
    // The payment itself is recorded once, for the program that comes first.
    const sales = [...(await ledger(service, one.id)), ...(await ledger(service, other.id))];
    expect(sales).toHaveLength(1);
  });

  it('does not store or log personal data in plain text', async () => {
    const { id } = await connected();
    const stripe = events();
    const session = stripe.session({
      email: 'somebody.private@people.test',
      extra: { customer_details: { email: 'somebody.private@people.test', name: 'Zelda Quickfoot' } },
    });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('no_customer');
    const everything = (await everythingStored(service)) + service.logLines.join('\n');
    expect(everything).toContain(session.payment_intent);
    expect(everything).not.toMatch(/somebody\.private|Quickfoot/i);
    expect(everything).not.toContain(Buffer.from('somebody.private').toString('base64').slice(0, 18));
    expect(everything).not.toContain(SECRET);
  });

  it('answers 500 if the event cannot be stored, and accepts it when Stripe sends it again', async () => {
    const { id } = await connected();
    const event = paid();
    await service.sql('alter table processor_events rename to processor_events_away');
    const answer = await send(service, id, event).finally(() =>
      service.sql('alter table processor_events_away rename to processor_events'),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 500,
      body: platformError(
        500,
        'InternalServerError',
        'The event could not be stored. The payment processor will send it again.',
      ),
    });
    expect((await send(service, id, event)).body).toEqual(ACCEPTED);
  });
});

/** Gives the program an account of the platform, which signs for it. */
const connectWithoutSecret = ({ program }: TestProgram, accountId: string) =>
  assignAccount(service.ctx, program, accountId, OPERATOR);

/** Names an account without proof that it is the program's. */
async function nameAccount({ program }: TestProgram, accountId: string): Promise<void> {
  const settings = { provider: 'stripe', accountId, secret: undefined, isSandbox: false } as const;
  await connectProcessor(service.ctx, program, settings, { hasPlatform: true, actor: OPERATOR });
}

describe('POST /api/v1/webhooks/stripe, for a Connect platform', () => {
  const PLATFORM = '/api/v1/webhooks/stripe';
  const PLATFORM_SECRET = 'whsec_the_secret_of_the_platform';

  function sendAs(account: string | undefined, event: StripeEvent, secret = PLATFORM_SECRET) {
    const body = JSON.stringify({ ...event, account });
    return service.call('POST', PLATFORM, { body, headers: signed(body, service.time, secret) });
  }

  it('finds the program by the account', async () => {
    const made = await service.program();
    await service.customer(made, 'user-1');
    const account = newId('acct');
    await connectWithoutSecret(made, account);
    const { status, body, headers } = await sendAs(account, paid());
    expect({ status, body }).toEqual({ status: 200, body: ACCEPTED });
    expect(headers['x-request-id']).toBeTruthy();
    await settle(service);
    expect(await ledger(service, made.program.id)).toHaveLength(1);
  });

  it('stores an event for both programs of an account, and a redelivery for neither', async () => {
    const one = await service.program();
    const other = await service.program({ workspaceId: one.workspaceId });
    const account = newId('acct');
    for (const made of [one, other]) await connectWithoutSecret(made, account);
    await service.customer(other, 'user-1');
    const event = paid();
    expect((await sendAs(account, event)).body).toEqual(ACCEPTED);
    expect((await sendAs(account, event)).body).toEqual(KNOWN);
    await settle(service);
    const counts = [(await stored(one.program.id)).length, (await stored(other.program.id)).length];
    expect(counts).toEqual([1, 1]);
    expect(await ledger(service, one.program.id)).toEqual([]);
    expect(await ledger(service, other.program.id)).toHaveLength(1);
  });

  /** A payment whose metadata names the program. */
  const paidTo = ({ program }: TestProgram) => {
    const session = new StripeEvents('2026', service.time).session({
      metadata: { svc_customer_key: 'user-1', program_id: String(program.id) },
    });
    return new StripeEvents('2026', service.time).event('checkout.session.completed', session);
  };

  it('goes to the program that the metadata names, not to the one that named the account first', async () => {
    const [squatter, owner] = [await service.program(), await service.program()];
    const account = newId('acct');
    await nameAccount(squatter, account);
    await nameAccount(owner, account);
    await sendAs(account, paid());
    expect([await stored(squatter.program.id), await stored(owner.program.id)]).toEqual([[], []]);
    expect((await sendAs(account, paidTo(owner))).body).toEqual(ACCEPTED);
    await sendAs(account, paid());
    expect(await stored(squatter.program.id)).toEqual([]);
    expect(await stored(owner.program.id)).toHaveLength(2);
    // The first proof counts.
    await sendAs(account, paidTo(squatter));
    expect(await stored(squatter.program.id)).toEqual([]);
  });

  it('metadata that names a program which has not named the account proves nothing', async () => {
    const [other, owner] = [await service.program(), await service.program()];
    const account = newId('acct');
    await nameAccount(owner, account);
    await sendAs(account, paidTo(other));
    expect([await stored(other.program.id), await stored(owner.program.id)]).toEqual([[], []]);
  });

  it('goes to the program that the operator assigned the account to, and no longer to the previous one', async () => {
    const [before, after] = [await service.program(), await service.program()];
    const account = newId('acct');
    await connectWithoutSecret(before, account);
    await connectWithoutSecret(after, account);
    await sendAs(account, paid());
    expect(await stored(before.program.id)).toEqual([]);
    expect(await stored(after.program.id)).toHaveLength(1);
  });

  it.each([
    ['an account that is not connected', 'acct_of_nobody'],
    ['the platform itself', undefined],
    ['an account that cannot be stored', 'acct_\0'],
  ])('answers 200 and stores nothing for %s', async (_case, account) => {
    const before = await fingerprints(service);
    const { status, body } = await sendAs(account, paid());
    expect({ status, body }).toEqual({ status: 200, body: ACCEPTED });
    expect(await fingerprints(service)).toEqual(before);
  });

  it('answers 400 and stores nothing for a signature with the secret of a program', async () => {
    const made = await service.program();
    const account = newId('acct');
    await connectWithoutSecret(made, account);
    const { status, body } = await sendAs(account, paid(), SECRET);
    expect({ status, body }).toEqual({ status: 400, body: SIGNATURE });
    expect(await stored(made.program.id)).toEqual([]);
  });

  it('does not let the platform’s secret sign for the route of a program', async () => {
    const { id } = await connected();
    const body = JSON.stringify(paid());
    expect(await post(id, body, signed(body, service.time, PLATFORM_SECRET))).toMatchObject({ status: 400 });
  });

  describe('without a platform', () => {
    const alone = new TestService();
    beforeAll(() => alone.open({ SVC_STRIPE_WEBHOOK_SECRET: '' }));
    afterAll(() => alone.service.close());

    it('answers 404, whatever the signature', async () => {
      const body = JSON.stringify({ ...paid(), account: 'acct_1' });
      for (const secret of ['', 'whsec_', PLATFORM_SECRET]) {
        const headers = signed(body, alone.time, secret || 'x');
        const answer = await alone.call('POST', PLATFORM, { body, headers });
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: NOT_CONNECTED });
      }
    });
  });
});
