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
      tag: expect.stringMatching(/^"[\w-]{43}"$/),
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

it('lists have none', async () => {
  const made = await ownedProgram(service);
  const { headers } = await service.call('GET', manage(made, '/sales'), { key: made.owner.token });
  expect(headers.etag).toBeUndefined();
});
