import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const get = (made: OwnedProgram, rest = '') =>
  service.call('GET', manage(made, `/terms${rest}`), { key: made.owner.token });
const change = (made: OwnedProgram, body: object) =>
  service.call('PATCH', manage(made), { key: made.owner.token, body });

describe('GET /api/v1/manage/programs/:id/terms', () => {
  it('lists the versions, newest first, each with the time it was in force', async () => {
    const made = await ownedProgram(service);
    const createdAt = service.time.toISOString();
    service.advance({ days: 1 });
    const changedAt = service.time.toISOString();
    await change(made, { commission_type: 'recurring_percent', commission_rate: 12.5, recurring_months: 12 });
    const { status, body } = await get(made);
    expect(status).toBe(200);
    const first = {
      version: 1,
      effective_from: createdAt,
      effective_until: changedAt,
      commission: '20% per sale',
      commission_type: 'percent',
      commission_rate: 20,
      commission_base: 'net',
      currency: 'USD',
      recurring_months: null,
      hold_days: 30,
      attribution: 'first',
      rules: [],
      warnings: [],
      note: null,
      made_by: null,
    };
    const second = {
      ...first,
      version: 2,
      effective_from: changedAt,
      effective_until: null,
      commission: '12.5% recurring for 12 months',
      commission_type: 'recurring_percent',
      commission_rate: 12.5,
      recurring_months: 12,
      made_by: 'Robin',
    };
    expect(body).toEqual({ data: [second, first], meta: { next_cursor: null, limit: 25 } });
  });

  it('is read page by page', async () => {
    const made = await ownedProgram(service);
    for (const hold_days of [1, 2, 3, 4]) await change(made, { hold_days });
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await get(made, `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map(({ version }: { version: number }) => version));
      cursor = body.meta.next_cursor ?? '';
    } while (cursor);
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it('shows nothing of other programs', async () => {
    const [made, other] = [await ownedProgram(service), await ownedProgram(service)];
    await change(other, { hold_days: 1 });
    expect((await get(made)).body.data).toHaveLength(1);
    const { status } = await service.call('GET', manage(made, '/terms'), { key: other.owner.token });
    expect(status).toBe(404);
  });

  it.each([
    ['nonsense', 400],
    ['WyJhIl0', 400],
    // A version far beyond the last one.
    ['Wzk5OTk5OTk5OTk5OTld', 200],
  ])('answers the cursor %s with %i', async (cursor, status) => {
    const made = await ownedProgram(service);
    expect((await get(made, `?cursor=${cursor}`)).status).toBe(status);
  });
});
