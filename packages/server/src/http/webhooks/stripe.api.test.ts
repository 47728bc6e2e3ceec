import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { everythingStored, fingerprints } from '../../../test/accounts.ts';
import { platformError, type TestProgram, TestService, useService } from '../../../test/service.ts';
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
} from '../../../test/stripe.ts';
import { assignAccount, connectProcessor } from '../../payments/connect-processor.ts';

const service = useService();
// What a test left to be worked off must not change what the next one compares.
afterEach(() => settle(service));

const SIGNATURE = platformError(
  400,
  'BadRequestError',
  'The signature is missing, wrong or too old. Check the signing secret in the dashboard: program Settings, Payments.',
);
const NO_EVENT = platformError(400, 'BadRequestError', 'The request body is not a valid Stripe event');
const TOO_LARGE = platformError(413, 'PayloadTooLargeError', 'Request body is larger than 1 MiB');
const NOT_CONNECTED = platformError(
  404,
  'NotFoundError',
  'No payment processor is connected. Connect one in the dashboard: program Settings, Payments.',
);
const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const TAKEN = { received: true, duplicate: false };
const KNOWN = { received: true, duplicate: true };

const events = () => new StripeEvents('2026', service.time);
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
  it('takes what the program’s secret signed: 200, stored once, worked off after the answer', async () => {
    const { id } = await connected();
    const event = paid();
    const { status, body, headers } = await send(service, id, event);
    expect({ status, body }).toEqual({ status: 200, body: TAKEN });
    expect(headers['x-request-id']).toBeTruthy();
    expect(Object.keys(headers).filter((name) => /access-control/.test(name))).toEqual([]);
    await settle(service);
    const row = { event_id: event.id, type: 'checkout.session.completed', is_live: true, state: 'done' };
    expect(await stored(id)).toEqual([row]);
    expect(await ledger(service, id)).toHaveLength(1);
  });

  describe('400 and nothing stored', () => {
    const text = JSON.stringify(paid(), null, 2);
    const header = (payload: string, secret?: string, at = service.time) => signed(payload, at, secret);
    const minutesAgo = (seconds: number) => new Date(service.time.getTime() - seconds * 1000);

    it.each<[string, () => [body: string, headers: Record<string, string>], object]>([
      ['no signature', () => [text, { 'content-type': 'application/json' }], SIGNATURE],
      ['an empty signature', () => [text, { ...header(text), 'stripe-signature': '' }], SIGNATURE],
      ['nonsense for a signature', () => [text, { ...header(text), 'stripe-signature': 't=now,v1=yes' }], SIGNATURE],
      ['a signature by another secret', () => [text, header(text, 'whsec_of_somebody_else')], SIGNATURE],
      ['a signature of another version only', () => [text, olderScheme(text)], SIGNATURE],
      ['a signature of another event', () => [text, header(JSON.stringify(paid()))], SIGNATURE],
      ['a signature older than five minutes', () => [text, header(text, SECRET, minutesAgo(301))], SIGNATURE],
      ['a body altered by a byte', () => [text.replace('5000', '5001'), header(text)], SIGNATURE],
      ['a body with a byte more', () => [`${text} `, header(text)], SIGNATURE],
      ['an empty body', () => ['', header('')], NO_EVENT],
      ['an empty body with the signature of another', () => ['', header(text)], SIGNATURE],
      ['signed text that is not JSON', () => ['{"id":', header('{"id":')], NO_EVENT],
      ['signed JSON that is no object', () => ['[1]', header('[1]')], NO_EVENT],
      ['null', () => ['null', header('null')], NO_EVENT],
      ...malformed().map(([what, event]): [string, () => [string, Record<string, string>], object] => [
        `an event with ${what}`,
        () => [JSON.stringify(event), header(JSON.stringify(event))],
        NO_EVENT,
      ]),
    ])('%s', async (_what, request, expected) => {
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
        ['a time beyond all calendars', { ...event, created: 9e15 }],
      ];
    }
  });

  it('takes a signature of nearly five minutes, and one of two that a secret under rotation gives', async () => {
    const { id } = await connected();
    const [first, second] = [JSON.stringify(paid()), JSON.stringify(paid())];
    const old = signed(first, new Date(service.time.getTime() - 299_000));
    expect(await post(id, first, old)).toMatchObject({ status: 200, body: TAKEN });
    const [other, own] = [signed(second, service.time, 'whsec_the_next_one'), signed(second, service.time)];
    const v1 = own['stripe-signature']?.split(',v1=')[1]?.split(',')[0];
    const both = { ...other, 'stripe-signature': `${other['stripe-signature']},v1=${v1}` };
    expect(await post(id, second, both)).toMatchObject({ status: 200, body: TAKEN });
  });

  it('413 and nothing stored: more than 1 MiB; what is large but below is taken', async () => {
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
    expect(await post(id, body, signed(body, service.time))).toMatchObject({ status: 200, body: TAKEN });
    await settle(service);
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
    'looks at no content type: %j',
    async (type) => {
      const { id } = await connected();
      const body = JSON.stringify(paid());
      const headers = { ...signed(body, service.time), 'content-type': type };
      expect(await post(id, body, headers)).toMatchObject({ status: 200, body: TAKEN });
    },
  );

  it('looks at no Authorization header', async () => {
    const { id } = await connected();
    const body = JSON.stringify(paid());
    const headers = { ...signed(body, service.time), authorization: 'Bearer svc_key_nobody' };
    expect(await post(id, body, headers)).toMatchObject({ status: 200, body: TAKEN });
  });

  it.each([
    ['a program that nobody has', '999999999', NOT_CONNECTED],
    ['no number', 'abc', NOT_FOUND],
    ['zero', '0', NOT_FOUND],
    ['a number of too many digits', '99999999999999999999', NOT_FOUND],
  ])('404 and nothing stored: %s', async (_what, id, expected) => {
    const body = JSON.stringify(paid());
    const before = await fingerprints(service);
    const answer = await post(id, body, signed(body, service.time));
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: expected });
    expect(await fingerprints(service)).toEqual(before);
  });

  it.each<[string, (made: TestProgram) => Promise<unknown>]>([
    ['was never connected', async () => {}],
    [
      'is connected over the platform, without a secret of its own',
      (made) => connectWithoutSecret(made, newId('acct')),
    ],
  ])('404 and nothing stored: the program %s', async (_what, prepare) => {
    const made = await service.program();
    await prepare(made);
    const body = JSON.stringify(paid());
    const answer = await post(made.program.id, body, signed(body, service.time));
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: NOT_CONNECTED });
    expect(await stored(made.program.id)).toEqual([]);
  });

  it('a redelivery is a 200 that changes nothing', async () => {
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

  it('twenty deliveries at once are one row and one sale', async () => {
    const { id } = await connected();
    const event = paid();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(service, id, event)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body.duplicate === false)).toHaveLength(1);
    await settle(service);
    expect(await stored(id)).toHaveLength(1);
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it('one event sent to two programs is an event of each', async () => {
    const [one, other] = [await connected(), await connected()];
    const event = paid();
    expect((await send(service, one.id, event)).body).toEqual(TAKEN);
    expect((await send(service, other.id, event)).body).toEqual(TAKEN);
    await settle(service);
    expect([(await stored(one.id)).length, (await stored(other.id)).length]).toEqual([1, 1]);
    // The payment itself is one: whoever comes first has it.
    const sales = [...(await ledger(service, one.id)), ...(await ledger(service, other.id))];
    expect(sales).toHaveLength(1);
  });

  it('names of people are in no column and in no log in the clear', async () => {
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

  it('500 and sent again by Stripe when it cannot be stored', async () => {
    const { id } = await connected();
    const event = paid();
    await service.sql('alter table processor_events rename to processor_events_away');
    const answer = await send(service, id, event).finally(() =>
      service.sql('alter table processor_events_away rename to processor_events'),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 500,
      body: platformError(500, 'InternalServerError', 'The event could not be stored. Stripe will send it again.'),
    });
    expect((await send(service, id, event)).body).toEqual(TAKEN);
  });
});

/** Gives the program an account of the platform, which signs for it. */
const connectWithoutSecret = ({ program }: TestProgram, accountId: string) =>
  assignAccount(service.ctx, program, accountId);

/** Names an account without proof that it is the program's. */
async function nameAccount({ program }: TestProgram, accountId: string): Promise<void> {
  const settings = { provider: 'stripe', accountId, secret: undefined, isSandbox: false } as const;
  await connectProcessor(service.ctx, program, settings, { hasPlatform: true });
}

describe('POST /api/v1/webhooks/stripe, of a Connect platform', () => {
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
    expect({ status, body }).toEqual({ status: 200, body: TAKEN });
    expect(headers['x-request-id']).toBeTruthy();
    await settle(service);
    expect(await ledger(service, made.program.id)).toHaveLength(1);
  });

  it('an account with two programs has the event in both, and a redelivery in none', async () => {
    const one = await service.program();
    const other = await service.program({ workspaceId: one.workspaceId });
    const account = newId('acct');
    for (const made of [one, other]) await connectWithoutSecret(made, account);
    await service.customer(other, 'user-1');
    const event = paid();
    expect((await sendAs(account, event)).body).toEqual(TAKEN);
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

  it('whoever names an account first gets none of its events; the one its metadata names gets them', async () => {
    const [squatter, owner] = [await service.program(), await service.program()];
    const account = newId('acct');
    await nameAccount(squatter, account);
    await nameAccount(owner, account);
    await sendAs(account, paid());
    expect([await stored(squatter.program.id), await stored(owner.program.id)]).toEqual([[], []]);
    expect((await sendAs(account, paidTo(owner))).body).toEqual(TAKEN);
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

  it('what the operator assigns is taken from whoever had it', async () => {
    const [before, after] = [await service.program(), await service.program()];
    const account = newId('acct');
    await connectWithoutSecret(before, account);
    await connectWithoutSecret(after, account);
    await sendAs(account, paid());
    expect(await stored(before.program.id)).toEqual([]);
    expect(await stored(after.program.id)).toHaveLength(1);
  });

  it.each([
    ['an account that nobody connected', 'acct_of_nobody'],
    ['the platform itself', undefined],
    ['an account that cannot be stored', 'acct_\0'],
  ])('200 and nothing stored: %s', async (_what, account) => {
    const before = await fingerprints(service);
    const { status, body } = await sendAs(account, paid());
    expect({ status, body }).toEqual({ status: 200, body: TAKEN });
    expect(await fingerprints(service)).toEqual(before);
  });

  it('400 and nothing stored: signed by the secret of a program', async () => {
    const made = await service.program();
    const account = newId('acct');
    await connectWithoutSecret(made, account);
    const { status, body } = await sendAs(account, paid(), SECRET);
    expect({ status, body }).toEqual({ status: 400, body: SIGNATURE });
    expect(await stored(made.program.id)).toEqual([]);
  });

  it('the platform’s secret does not sign for the route of a program', async () => {
    const { id } = await connected();
    const body = JSON.stringify(paid());
    expect(await post(id, body, signed(body, service.time, PLATFORM_SECRET))).toMatchObject({ status: 400 });
  });

  describe('of a service without a platform', () => {
    const alone = new TestService();
    beforeAll(() => alone.open({ SVC_STRIPE_WEBHOOK_SECRET: '' }));
    afterAll(() => alone.service.close());

    it('404, however it is signed', async () => {
      const body = JSON.stringify({ ...paid(), account: 'acct_1' });
      for (const secret of ['', 'whsec_', PLATFORM_SECRET]) {
        const headers = signed(body, alone.time, secret || 'x');
        const answer = await alone.call('POST', PLATFORM, { body, headers });
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: NOT_CONNECTED });
      }
    });
  });
});
