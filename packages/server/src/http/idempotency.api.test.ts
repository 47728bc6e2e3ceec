import { OWN_ORIGIN, ownedProgram, signUp } from '@svc/testkit/service/accounts.ts';
import { type Answer, platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { badRequest, decisionsOf, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { purgeIdempotencyKeys } from '../jobs/purge-idempotency-keys.ts';
import { runJob } from '../jobs/run-jobs.ts';

const service = useService();

const SALE = '/api/v1/track/sale';
const REUSED = platformError(409, 'ConflictError', 'Idempotency-Key was used with a different request');
const IN_PROGRESS = platformError(409, 'ConflictError', 'A request with this Idempotency-Key is in progress');
const withKey = (key: string) => ({ 'idempotency-key': key });
const seen = ({ status, text, headers }: Answer) => ({ status, text, replayed: headers['idempotent-replayed'] });

/** A program with a customer, and how to report a sale to them. */
async function shop() {
  const made = await service.program();
  const customer = newId('user');
  await service.customer(made, customer);
  const sale = { transaction_id: newId('order'), customer_key: customer, amount_cents: 4900 };
  const send = (key: string, body: object = sale) =>
    service.call('POST', SALE, { body, key: made.apiKey, headers: withKey(key) });
  return { ...made, sale, customer, send };
}

const salesOf = async ({ program }: TestProgram) => Number((await service.counts(program.id)).sales);

describe('a repeated request with an Idempotency-Key', () => {
  it('gets the status and the bytes of the first answer, and changes nothing', async () => {
    const made = await shop();
    const first = await made.send('order 1');
    expect(seen(first)).toEqual({ status: 200, text: first.text, replayed: undefined });
    const before = await service.counts(made.program.id);
    const again = await made.send('order 1');
    expect(seen(again)).toEqual({ status: 200, text: first.text, replayed: 'true' });
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(Number(again.headers['x-ratelimit-remaining'])).toBe(Number(first.headers['x-ratelimit-remaining']) - 1);
    expect(await service.counts(made.program.id)).toEqual(before);
    // Without the header, and with another key, nothing is different from before.
    for (const headers of [{}, withKey('order 2')]) {
      const answer = await service.sale(made.sale, { key: made.apiKey, headers });
      expect(answer.status).toBe(409);
      expect(answer.body.error.message).toBe('Duplicate transaction_id. This sale has already been recorded.');
    }
  });

  it('gets a refusal again, even if the request would succeed by now', async () => {
    const { apiKey, link, program } = await service.program();
    const key = newId('user');
    const body = { transaction_id: newId('order'), customer_key: key, amount_cents: 100 };
    const sale = () => service.sale(body, { key: apiKey, headers: withKey('early') });
    const first = await sale();
    expect(first.body).toEqual(badRequest('Customer not found. Provide customer_key or click_id.'));
    await service.lead({ click_id: await service.clickId(link), customer_key: key }, { key: apiKey });
    expect(seen(await sale())).toEqual({ status: 400, text: first.text, replayed: 'true' });
    expect((await service.counts(program.id)).sales).toBe(0);
  });

  it('is the same request if its fields come in another order or its numbers in another spelling', async () => {
    const made = await shop();
    const { transaction_id: id, customer_key: key } = made.sale;
    const first = await made.send('k', { ...made.sale, additional_data: { a: 1, b: [{ c: 2, d: 3 }] } });
    const headers = { ...withKey('k'), 'content-type': 'application/json' };
    const spelled = `{ "additional_data": {"b": [{"d": 3.0, "c": 2}], "a": 1e0}, "amount_cents": 4.9e3,
      "customer_key": ${JSON.stringify(key)}, "transaction_id": ${JSON.stringify(id)} }`;
    const again = await service.call('POST', SALE, { body: spelled, key: made.apiKey, headers });
    expect(seen(again)).toEqual({ status: 200, text: first.text, replayed: 'true' });
    const other = spelled.replace('"c": 2', '"c": 4');
    expect((await service.call('POST', SALE, { body: other, key: made.apiKey, headers })).body).toEqual(REUSED);
    expect(await salesOf(made)).toBe(1);
  });

  it('is known by its spelling alone if a node of an earlier release was asked first', async () => {
    const made = await shop();
    const first = await made.send('k');
    // Earlier releases claim with a random id.
    await service.sql('update idempotency_keys set claim = gen_random_uuid()');
    expect(seen(await made.send('k'))).toEqual({ status: 200, text: first.text, replayed: 'true' });
  });

  it('is refused with 409 if its body is another one', async () => {
    const made = await shop();
    await made.send('k');
    for (const change of [{ amount_cents: 4901 }, { transaction_id: newId('order') }, { product_id: 'p' }]) {
      const answer = await made.send('k', { ...made.sale, ...change });
      expect([answer.status, answer.body]).toEqual([409, REUSED]);
    }
    expect(await salesOf(made)).toBe(1);
    expect((await decisionsOf(service, made)).at(-1)).toMatchObject({ kind: 'sale', reason: 'invalid_request' });
  });

  it('is a first one again after a failure of the service, and after a refused credential', async () => {
    const made = await shop();
    const failed = await whileRefused(service, 'sales', () => made.send('k'));
    expect(failed.status).toBe(500);
    const unknown = await service.sale(made.sale, { key: 'svc_key_unknown', headers: withKey('k') });
    expect(unknown.status).toBe(401);
    expect(seen(await made.send('k'))).toMatchObject({ status: 200, replayed: undefined });
  });

  it('is a first one for another credential, another route and other parameters', async () => {
    const [one, other] = [await shop(), await shop()];
    expect((await one.send('k')).status).toBe(200);
    expect(seen(await other.send('k'))).toMatchObject({ status: 200, replayed: undefined });
    const refund = await service.refund(one.sale, { key: one.apiKey, headers: withKey('k') });
    expect(seen(refund)).toMatchObject({ status: 200, replayed: undefined });

    const { owner, ...made } = await ownedProgram(service);
    const sister = await service.program({ workspaceId: made.workspaceId });
    const partner = { name: 'Joan', email: `${newId('joan')}@partner.test` };
    const add = ({ program }: TestProgram) =>
      service.call('POST', `/api/v1/manage/programs/${program.id}/partners`, {
        ...{ body: partner, key: owner.token, headers: withKey('k') },
      });
    const added = await add(made);
    expect(seen(added)).toMatchObject({ status: 201, replayed: undefined });
    expect(seen(await add(sister))).toMatchObject({ status: 201, replayed: undefined });
    expect(seen(await add(made))).toEqual({ status: 201, text: added.text, replayed: 'true' });
  });

  it('does not run a test chain twice', async () => {
    const { apiKey, program } = await service.program();
    const send = () =>
      service.call('POST', '/api/v1/cli/test-event', { body: { type: 'chain' }, key: apiKey, headers: withKey('k') });
    const first = await send();
    expect(first).toMatchObject({ status: 200, body: { data: { attributed: true } } });
    expect(seen(await send())).toEqual({ status: 200, text: first.text, replayed: 'true' });
    expect(await service.sql('select 1 from chain_runs where program_id = $1', [program.id])).toHaveLength(1);
  });

  it('in a browser session counts for that session, and gives other sites no answer', async () => {
    // The sign-in library has its own clock.
    service.time = new Date();
    const { cookie } = await signUp(service);
    const create = (origin: string) =>
      service.call('POST', '/api/v1/manage/programs', {
        ...{ body: { name: 'Acme', domain: 'acme.test' }, headers: { cookie, origin, ...withKey('k') } },
      });
    const first = await create(OWN_ORIGIN);
    expect(seen(first)).toMatchObject({ status: 201, replayed: undefined });
    expect(seen(await create(OWN_ORIGIN))).toEqual({ status: 201, text: first.text, replayed: 'true' });
    expect(seen(await create('https://evil.test'))).toMatchObject({ status: 403, replayed: undefined });
  });
});

describe('the key', () => {
  it.each(['', 'x'.repeat(256), 'é', 'a\tb', '\x7f'])('is refused with 400 if it is malformed: %j', async (key) => {
    const made = await shop();
    const answer = await made.send(key);
    const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters';
    expect([answer.status, answer.body]).toEqual([400, badRequest(message)]);
    expect(await salesOf(made)).toBe(0);
  });

  it.each(['x', 'x'.repeat(255), '{"a": 1}', "'; drop table sales; --"])('may be %s', async (key) => {
    const made = await shop();
    expect((await made.send(key)).status).toBe(200);
    expect(seen(await made.send(key))).toMatchObject({ status: 200, replayed: 'true' });
  });

  it('is ignored on leads of web pages and on clicks', async () => {
    const { link } = await service.program();
    const headers = withKey('');
    const affiliate_url = `https://acme.test/?aff=${link}`;
    const click = await service.click({ affiliate_url }, { headers });
    expect(click.status).toBe(200);
    expect((await service.lead({ click_id: click.body.click_id }, { headers })).status).toBe(200);
  });
});

describe('kept answers', () => {
  it('are kept for 24 hours, and then purged', async () => {
    const made = await shop();
    const { text } = await made.send('k');
    const age = (hours: number) =>
      service.sql(`update idempotency_keys set created_at = now() - make_interval(hours => $1) - interval '1 minute'`, [
        hours,
      ]);
    await age(23);
    await runJob(service.ctx, purgeIdempotencyKeys);
    expect(seen(await made.send('k'))).toEqual({ status: 200, text, replayed: 'true' });
    await age(24);
    // The request is carried out, before the job has run and after.
    expect(seen(await made.send('k'))).toMatchObject({ status: 409, replayed: undefined });
    await age(24);
    await runJob(service.ctx, purgeIdempotencyKeys);
    expect(await service.sql('select 1 from idempotency_keys')).toEqual([]);
  });

  it('a request in progress refuses others with 409 and Retry-After, until it must have failed after a minute', async () => {
    const made = await shop();
    await made.send('k');
    // As a node leaves it that stops in the middle of the request.
    const abandon = (secondsAgo: number) =>
      service.sql(
        `update idempotency_keys set status = null, answer_sealed = null, created_at = now() - make_interval(secs => $1)`,
        [secondsAgo],
      );
    await abandon(0);
    const before = await service.counts(made.program.id);
    const early = await made.send('k');
    expect([early.status, early.body, early.headers['retry-after']]).toEqual([409, IN_PROGRESS, '1']);
    expect(await service.counts(made.program.id)).toEqual(before);
    await abandon(61);
    expect(seen(await made.send('k'))).toMatchObject({ status: 409, replayed: undefined });
    const [decision] = (await decisionsOf(service, made)).slice(-1);
    expect(decision?.reason).toBe('duplicate_transaction');
    expect(seen(await made.send('k'))).toMatchObject({ status: 409, replayed: 'true' });
  });

  it('contain no new key, no key of the caller and nothing of the body in the clear', async () => {
    const { owner, ...made } = await ownedProgram(service);
    const path = `/api/v1/manage/programs/${made.program.id}/api-key/regenerate`;
    const send = () => service.call('POST', path, { key: owner.token, headers: withKey('jane@example.test') });
    const first = await send();
    expect(first.status).toBe(200);
    const again = await send();
    expect(seen(again)).toEqual({ status: 200, text: first.text, replayed: 'true' });
    const rows = JSON.stringify(await service.sql('select * from idempotency_keys'));
    expect(rows).not.toContain(first.body.data.api_key);
    expect(rows).not.toContain('jane@example.test');
    // The repetition did not replace the key once more.
    const sale = await service.sale({}, { key: first.body.data.api_key });
    expect(sale.body.error.message).toBe('transaction_id is required and must be a string');
  });

  it('do not name a customer who was erased, and still stop a repetition', async () => {
    const { owner, ...made } = await ownedProgram(service);
    const customer = newId('jane-doe');
    const clickId = await service.customer(made, customer);
    const transaction_id = newId('order');
    await service.sale({ transaction_id, customer_key: customer, amount_cents: 100 }, { key: made.apiKey });
    const items = [{ type: 'refund', transaction_id, refund_id: customer }];
    const send = () =>
      service.call('POST', '/api/v1/track/batch', {
        ...{ body: { items }, key: made.apiKey, headers: withKey(customer) },
      });
    expect((await send()).text).toContain(customer);
    const path = `/api/v1/manage/programs/${made.program.id}/customers/${clickId.split('_')[1]}/erase`;
    expect((await service.call('POST', path, { key: owner.token })).status).toBe(200);
    const again = await send();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.data.results[0].body.data.refund_id).toBe('[erased]');
  });
});
