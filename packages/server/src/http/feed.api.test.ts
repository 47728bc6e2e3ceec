import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { expect, it } from 'vitest';

const service = useService();

const FEED = '/api/v1/events';

it('a reader whose key is replaced while they wait gets nothing more', async () => {
  const made = await ownedProgram(service);
  const place = (await service.call('GET', `${FEED}?wait=30`, { key: made.apiKey })).body.meta.next_cursor;
  const waiting = service.call('GET', `${FEED}?after=${place}&wait=30`, { key: made.apiKey });
  const owner = { key: made.owner.token, body: {} };
  const { body } = await service.call('POST', manage(made, '/api-key/regenerate'), owner);
  await sold(service, { ...made, apiKey: body.data.api_key });
  const { status, body: answer } = await waiting;
  expect({ status, body: answer }).toEqual({
    status: 401,
    body: platformError(401, 'UnauthorizedError', 'Invalid API token'),
  });
});

it('a cursor that is empty or no number is refused: it is not the beginning of the feed', async () => {
  const made = await ownedProgram(service);
  const asKey = { key: made.apiKey };
  for (const after of ['', '%20', 'one', '-1', '1.5', '9007199254740993']) {
    const { status, body } = await service.call('GET', `${FEED}?after=${after}`, asKey);
    expect([after, status, body.error.message]).toEqual([after, 400, 'Invalid cursor']);
  }
});

it('a parameter that the feed does not have is refused: with another name for the cursor, it would begin again and again', async () => {
  const made = await ownedProgram(service);
  for (const [query, message] of [
    ['cursor=1041', 'Unknown query parameter: "cursor"'],
    ['type=sale.created', 'Unknown query parameter: "type" (did you mean types?)'],
  ]) {
    const { status, body } = await service.call('GET', `${FEED}?${query}`, { key: made.apiKey });
    expect([query, status, body.error.message]).toEqual([query, 400, message]);
  }
});
