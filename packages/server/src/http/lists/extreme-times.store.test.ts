import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const LISTS = ['/sales', '/commissions', '/customers', '/performance', '/export/sales.csv', '/export/customers.csv'];
const TIMES = [
  '0000-01-01',
  '0000-12-31T23:59:59Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '9999-12-31T24:00:00Z',
];
const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('times that not every store can represent are refused', () => {
  it.each(LISTS)('%s', async (list) => {
    const made = await ownedProgram(service);
    for (const time of TIMES) {
      for (const name of ['from', 'to']) {
        const path = manage(made, `${list}?${name}=${encodeURIComponent(time)}`);
        const { status, body } = await service.call('GET', path, { key: made.owner.token });
        expect({ path, status, message: body.error.message }).toEqual({
          path,
          status: 400,
          message: `${name} must be a date or an ISO 8601 time`,
        });
      }
    }
  });

  it('in cursors', async () => {
    const made = await ownedProgram(service);
    for (const time of ['0000-01-01T00:00:00Z', '0000-06-01T00:00:00.000Z']) {
      for (const path of [
        `/sales?cursor=${cursorOf(time, 1)}`,
        `/commissions?cursor=${cursorOf(time, 1)}`,
        `/customers?cursor=${cursorOf(time, 1)}`,
        `/events?cursor=${cursorOf(time, 'click', 1)}`,
      ]) {
        const { status, body } = await service.call('GET', manage(made, path), { key: made.owner.token });
        expect({ path, status, message: body.error?.message }).toEqual({
          path,
          status: 400,
          message: 'cursor is not valid for this list',
        });
      }
    }
  });

  it('as the deadline of a key', async () => {
    const made = await ownedProgram(service);
    const path = manage(made, '/api-key/require-rotation');
    const send = (rotate_by: string) => service.call('POST', path, { key: made.owner.token, body: { rotate_by } });
    const { status, body } = await send('9999-12-31T23:59:59-14:00');
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'rotate_by must be before the year 10000',
    });
    expect((await send('9999-12-31T23:59:59Z')).body.data.rotate_by).toBe('9999-12-31T23:59:59.000Z');
  });
});

describe('the earliest and the latest representable times are accepted', () => {
  it('performance of the first year works, although the period before it would be in a year that cannot be written', async () => {
    const made = await ownedProgram(service);
    for (const query of ['from=0001-01-02&to=0001-06-01', 'from=9999-01-01&to=9999-12-31']) {
      const { status, body } = await service.call('GET', manage(made, `/performance?${query}`), {
        key: made.owner.token,
      });
      expect({ status, sales: body.data?.totals.sales }).toEqual({ status: 200, sales: 0 });
    }
  });

  it('a list from the first day to the last has every row', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    const path = manage(made, '/sales?from=0001-01-01&to=9999-12-31T23:59:59Z');
    expect((await service.call('GET', path, { key: made.owner.token })).body.data).toHaveLength(1);
  });
});
