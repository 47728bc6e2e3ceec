import { hasEntityTag, routes } from '@svc/contract';
import { manage, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { useSharedRequests } from '@svc/testkit/service/routes/shared-requests.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();
const requestTo = useSharedRequests(service);

it('every reply about one resource has an ETag, and is not sent again to callers who have it', async () => {
  const tagged = routes.filter(hasEntityTag);
  expect(tagged.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'manageProgram',
      'manageSale',
      'manageSaleByTransactionId',
      'managePartner',
      'managePayout',
    ]),
  );
  for (const route of tagged) {
    const request = await requestTo(route);
    const { status, headers } = await request.send();
    const tag = String(headers.etag);
    expect({ route: route.id, status, tag }).toEqual({
      route: route.id,
      status: 200,
      tag: expect.stringMatching(/^"[\w-]{22}\.[\w-]{22}"$/),
    });
    const again = await request.send({ headers: { 'if-none-match': `"other", W/${tag}` } });
    expect({ route: route.id, status: again.status, text: again.text }).toEqual({
      route: route.id,
      status: 304,
      text: '',
    });
    expect(again.headers).toMatchObject({ etag: tag, 'cache-control': 'no-store', 'x-request-id': expect.any(String) });
    const other = await request.send({ headers: { 'if-none-match': '"other"' } });
    expect({ route: route.id, status: other.status, tag: other.headers.etag }).toEqual({
      route: route.id,
      status: 200,
      tag,
    });
  }
});

it('a change of the resource, and what a caller may see of it, have other ETags', async () => {
  const made = await ownedProgram(service);
  const { saleId, transactionId } = await sold(service, made);
  const path = manage(made, `/sales/${saleId}`);
  const read = (key: string, tag = '') => service.call('GET', path, { key, headers: { 'if-none-match': tag } });
  const first = await read(made.owner.token);
  const tag = String(first.headers.etag);
  expect((await read(made.owner.token, tag)).status).toBe(304);
  await service.refund({ transaction_id: transactionId, refund_amount_cents: 100 }, { key: made.apiKey });
  const changed = await read(made.owner.token, tag);
  expect({ status: changed.status, refunded: changed.body.data.refunded_cents }).toEqual({
    status: 200,
    refunded: 100,
  });
  expect(changed.headers.etag).not.toBe(tag);
  const { token } = await partnerAccount(service, (await service.partner(made.program)).partnerId);
  const strangers = await read(token, String(changed.headers.etag));
  expect({ status: strangers.status, tag: strangers.headers.etag }).toEqual({ status: 404, tag: undefined });
});

const CHANGED =
  'This has changed since you read it: If-Match names an earlier ETag. Read it again, and send the change with its new ETag.';

it('every change of such a resource can be tied to what the caller read', async () => {
  const paths = routes.filter(hasEntityTag).map(({ path }) => path);
  const changes = routes.filter(({ method, path }) => method !== 'GET' && paths.includes(path));
  expect(changes.filter(({ ifMatch }) => !ifMatch).map(({ id }) => id)).toEqual([]);
  expect(changes.map(({ id }) => id)).toContain('manageDeleteProgram');
  for (const route of changes) {
    const { path, key, send } = await requestTo(route);
    const read = await service.call('GET', path, { key });
    const other = await send({ headers: { 'if-match': '"other"' } });
    expect({ route: route.id, status: other.status, error: other.body.error }).toEqual({
      route: route.id,
      status: 412,
      error: expect.objectContaining({ message: CHANGED }),
    });
    const again = await service.call('GET', path, { key });
    expect({ status: again.status, tag: again.headers.etag }).toEqual({ status: read.status, tag: read.headers.etag });
    if (read.status !== 200) continue;
    const { status } = await send({ headers: { 'if-match': `"other", W/${read.headers.etag}` } });
    expect({ route: route.id, status }).toEqual({ route: route.id, status: route.success ?? 200 });
  }
});

it('of several people who change the same link, partner or program as they read it, one succeeds', async () => {
  const made = await ownedProgram(service);
  const {
    data: [link],
  } = (await service.call('GET', manage(made, '/links'), { key: made.owner.token })).body;
  for (const [rest, field] of [
    [`/links/${link.id}`, 'label'],
    [`/partners/${made.partnerId}`, 'name'],
    ['', 'name'],
  ] as const) {
    const read = () => service.call('GET', manage(made, rest), { key: made.owner.token });
    const change = (value: string, tag: string) =>
      service.call('PATCH', manage(made, rest), {
        key: made.owner.token,
        headers: { 'if-match': tag },
        body: { [field]: value },
      });
    const tag = String((await read()).headers.etag);
    const answers = await Promise.all(['One', 'Two', 'Three', 'Four', 'Five'].map((name) => change(name, tag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
    const [winner] = answers.filter(({ status }) => status === 200);
    const { body, headers } = await read();
    expect(body.data[field]).toBe(winner?.body.data[field]);
    expect((await change('Six', String(headers.etag))).status).toBe(200);
  }
});

it('a click does not stand in the way of changing a link, and is no reason to send an old reply', async () => {
  const made = await ownedProgram(service);
  const {
    data: [link],
  } = (await service.call('GET', manage(made, '/links'), { key: made.owner.token })).body;
  const call = (method: string, headers: Record<string, string>, body?: object) =>
    service.call(method, manage(made, `/links/${link.id}`), { key: made.owner.token, headers, ...(body && { body }) });
  const tag = String((await call('GET', {})).headers.etag);
  await service.clickId(made.link);
  expect((await call('GET', { 'if-none-match': tag })).body.data.numbers.clicks).toBe(1);
  expect((await call('PATCH', { 'if-match': tag }, { label: 'Newsletter' })).status).toBe(200);
  expect((await call('DELETE', { 'if-match': tag })).status).toBe(412);
});

it('lists have none', async () => {
  const made = await ownedProgram(service);
  const { headers } = await service.call('GET', manage(made, '/sales'), { key: made.owner.token });
  expect(headers.etag).toBeUndefined();
});
