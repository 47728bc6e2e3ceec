import { PROCESSORS, type ProcessorName } from '@svc/contract';
import { fingerprints, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customSigned } from '@svc/testkit/service/payments/custom.ts';
import { LemonEvents, lemonSigned } from '@svc/testkit/service/payments/lemonsqueezy.ts';
import { PaddleEvents, paddleSigned } from '@svc/testkit/service/payments/paddle.ts';
import { asOwner } from '@svc/testkit/service/payments/paid.ts';
import { PolarEvents, polarSigned } from '@svc/testkit/service/payments/polar.ts';
import { SHOPS } from '@svc/testkit/service/payments/shops.ts';
import { newId, StripeEvents, settle, signed } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { processors } from '../processors/processors.ts';

const service = useService();
afterEach(() => settle(service));

const TOO_OLD =
  'The signature is older than five minutes. The signing secret is right: check the clock of this server, and what delays its requests.';
const SIGNATURE =
  'The signature is missing, wrong or too old. Check the signing secret in the dashboard: program Settings, Payments.';

type Headers = Record<string, string>;
type Sender = {
  /** A payment of the customer `user-1`. */
  event(): object;
  sign(body: string): Headers;
  signWithAnother(body: string): Headers;
  /** The headers with a signature that is none. */
  nonsense(headers: Headers): Headers;
};

const ours = { svc_customer_key: 'user-1' };
const changed = (headers: Headers, name: string, value: string) => ({ ...headers, [name]: value });

const SENDERS: Record<ProcessorName, Sender> = {
  stripe: {
    event() {
      const stripe = new StripeEvents('2026', service.time);
      return stripe.event('checkout.session.completed', stripe.session({ metadata: ours }));
    },
    sign: (body) => signed(body, service.time),
    signWithAnother: (body) => signed(body, service.time, 'whsec_another'),
    nonsense: (headers) => changed(headers, 'stripe-signature', 'yes'),
  },
  paddle: {
    event() {
      const paddle = new PaddleEvents(service.time);
      return paddle.event('transaction.completed', paddle.transaction({ customData: ours }));
    },
    sign: (body) => paddleSigned(body, service.time),
    signWithAnother: (body) => paddleSigned(body, service.time, 'pdl_ntfset_01hother_secret'),
    nonsense: (headers) => changed(headers, 'paddle-signature', 'yes'),
  },
  polar: {
    event() {
      const polar = new PolarEvents(service.time);
      return polar.event('order.paid', polar.order({ metadata: ours }));
    },
    sign: (body) => polarSigned(body, service.time),
    signWithAnother: (body) => polarSigned(body, service.time, newId('msg'), 'polar_whs_another'),
    nonsense: (headers) => changed(headers, 'webhook-signature', 'yes'),
  },
  lemonsqueezy: {
    event() {
      const lemon = new LemonEvents(service.time);
      return lemon.event('order_created', lemon.order(), ours);
    },
    sign: (body) => lemonSigned(body),
    signWithAnother: (body) => lemonSigned(body, 'another-secret'),
    nonsense: (headers) => changed(headers, 'x-signature', 'yes'),
  },
  custom: {
    event: () => ({
      type: 'payment',
      at: service.time.toISOString(),
      transaction_id: newId('order'),
      amount_cents: 5_000,
      payer: { customer_key: 'user-1' },
    }),
    sign: (body) => customSigned(body, service.time),
    signWithAnother: (body) => customSigned(body, service.time, newId('msg'), 'another key'),
    nonsense: (headers) => changed(headers, 'webhook-signature', 'yes'),
  },
};

describe.each(PROCESSORS)('POST /api/v1/webhooks/%s/:program_id', (processor) => {
  const sender = SENDERS[processor];
  const { title, expected } = processors[processor];
  const NOT_AN_EVENT = `The request body is not an event of ${title}. Expected ${expected}.`;
  const post = (id: number, body: string, headers: Headers) =>
    service.call('POST', `/api/v1/webhooks/${processor}/${id}`, { body, headers });
  const text = () => JSON.stringify(sender.event());

  async function connected(): Promise<number> {
    const made = await service.program();
    await SHOPS[processor](service).connect(made);
    await service.customer(made, 'user-1');
    return made.program.id;
  }

  it('accepts an event signed with the program’s secret, and counts it once', async () => {
    const id = await connected();
    const body = text();
    const headers = sender.sign(body);
    expect(await post(id, body, headers)).toMatchObject({ status: 200, body: { received: true, duplicate: false } });
    expect(await post(id, body, headers)).toMatchObject({ status: 200, body: { received: true, duplicate: true } });
    await settle(service);
    expect(await service.counts(id)).toMatchObject({ sales: 1, commissions: 1 });
  });

  it.each<[string, (body: string) => [string, Headers], string]>([
    ['no signature', (body) => [body, { 'content-type': 'application/json' }], SIGNATURE],
    ['a nonsensical signature', (body) => [body, sender.nonsense(sender.sign(body))], SIGNATURE],
    ['a signature with another secret', (body) => [body, sender.signWithAnother(body)], SIGNATURE],
    ['a body that was changed', (body) => [body.replace('5000', '5001'), sender.sign(body)], SIGNATURE],
    ['an empty body', () => ['', sender.sign('')], NOT_AN_EVENT],
    ['text that is not JSON', () => ['{"id":', sender.sign('{"id":')], NOT_AN_EVENT],
    ['JSON that is not an object', () => ['[1]', sender.sign('[1]')], NOT_AN_EVENT],
    ['an object that is no event', () => ['{"a":1}', sender.sign('{"a":1}')], NOT_AN_EVENT],
  ])('answers 400 and stores nothing for %s', async (_case, request, message) => {
    const id = await connected();
    const before = await fingerprints(service);
    const answer = await post(id, ...request(text()));
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: badRequest(message) });
    expect(await fingerprints(service)).toEqual(before);
  });

  it('refuses the signatures of all other processors', async () => {
    const id = await connected();
    const body = text();
    for (const other of PROCESSORS.filter((name) => name !== processor)) {
      expect((await post(id, body, SENDERS[other].sign(body))).status).toBe(400);
    }
  });

  it('answers 404 while the program is not connected', async () => {
    const made = await service.program();
    const body = text();
    expect((await post(made.program.id, body, sender.sign(body))).status).toBe(404);
  });
});

/** Lemon Squeezy signs the body alone, so its signatures have no age. */
const TIMED: ProcessorName[] = PROCESSORS.filter((name) => name !== 'lemonsqueezy');

describe.each(PROCESSORS)('the age of a signature: %s', (processor) => {
  const sender = SENDERS[processor];
  const healthOf = async (made: OwnedProgram) => {
    const { body } = await asOwner(service, made, 'GET', `/processor?provider=${processor}`);
    return { mismatches: body.data.signature_mismatches, tooOld: body.data.signatures_too_old };
  };

  async function sendAfter(seconds: number, sign = sender.sign) {
    const made = await ownedProgram(service);
    await SHOPS[processor](service).connect(made);
    const body = JSON.stringify(sender.event());
    const headers = sign(body);
    service.advance({ seconds });
    const answer = await service.call('POST', `/api/v1/webhooks/${processor}/${made.program.id}`, { body, headers });
    const stored = await service.sql('select 1 from processor_events where program_id = $1', [made.program.id]);
    return { made, status: answer.status, body: answer.body, stored: stored.length };
  }

  it('is accepted for five minutes', async () => {
    const { made, ...answer } = await sendAfter(300);
    expect(answer).toMatchObject({ status: 200, stored: 1 });
    expect(await healthOf(made)).toEqual({ mismatches: null, tooOld: null });
  });

  it.each(TIMED.filter((name) => name === processor))(
    'is too old after that, which does not count as a wrong secret: %s',
    async () => {
      const { made, ...answer } = await sendAfter(302);
      expect(answer).toEqual({ status: 400, body: badRequest(TOO_OLD), stored: 0 });
      const last_at = service.time.toISOString();
      expect(await healthOf(made)).toEqual({ mismatches: null, tooOld: { count: 1, last_at } });
    },
  );

  it('counts as a wrong secret if it is old and signed with another one', async () => {
    const { made, ...answer } = await sendAfter(302, sender.signWithAnother);
    expect(answer).toEqual({ status: 400, body: badRequest(SIGNATURE), stored: 0 });
    const last_at = service.time.toISOString();
    expect(await healthOf(made)).toEqual({ mismatches: { count: 1, last_at }, tooOld: null });
  });

  it('starts to be counted again when a secret is added', async () => {
    const { made } = await sendAfter(302, sender.signWithAnother);
    await SHOPS[processor](service).connect(made);
    expect(await healthOf(made)).toEqual({ mismatches: null, tooOld: null });
  });

  it.each(TIMED.includes(processor) ? [] : [processor])('has no end where the signature has no time: %s', async () => {
    const { made, ...answer } = await sendAfter(86_400);
    expect(answer).toMatchObject({ status: 200, stored: 1 });
    expect(await healthOf(made)).toEqual({ mismatches: null, tooOld: null });
  });
});
