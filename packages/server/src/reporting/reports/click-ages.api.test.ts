import { manage, ownedProgram, unchangedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const SAFARI = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

type Program = Awaited<ReturnType<typeof ownedProgram>>;
let last = 0;

/** A visitor with this browser who signs up some days after the click. */
async function signUp({ link, apiKey }: Program, userAgent: string, days: number, relayed = false): Promise<void> {
  const body = { affiliate_url: `https://acme.test/?aff=${link}` };
  const headers = { 'user-agent': userAgent, ...(relayed && { 'svc-relay-cookie': 'host' }) };
  const clickedAt = service.time;
  const { body: clicked } = await service.click(body, { headers });
  service.advance({ days });
  last += 1;
  await service.lead({ click_id: clicked.click_id, customer_key: `user_${last}` }, { key: apiKey });
  service.time = clickedAt;
}

const ages = async (on: Program, query = '') =>
  (await service.call('GET', manage(on, `/click-ages?to=2026-06-01&from=2026-03-01${query}`), { key: on.owner.token }))
    .body;

describe('the age of clicks at signup', () => {
  it('is counted by browser and by who set the cookie', async () => {
    const on = await ownedProgram(service);
    await signUp(on, SAFARI, 0.99);
    await signUp(on, SAFARI, 1);
    await signUp(on, SAFARI, 7.9);
    await signUp(on, SAFARI, 8, true);
    await signUp(on, CHROME, 30);
    await signUp(on, CHROME, 31);
    // Neither came through a link, or has signed up.
    await service.lead({ customer_key: 'direct' }, { key: on.apiKey });
    await service.clickId(on.link);

    expect(await ages(on)).toEqual({
      data: {
        from: '2026-03-01T00:00:00.000Z',
        to: '2026-06-01T00:00:00.000Z',
        is_complete: true,
        rows: [
          {
            ...{ browser: 'safari', cookie_set_by: 'script', signups: 3 },
            ...{ same_day: 1, days_1_to_7: 2, days_8_to_30: 0, days_31_or_more: 0 },
          },
          {
            ...{ browser: 'safari', cookie_set_by: 'server', signups: 1 },
            ...{ same_day: 0, days_1_to_7: 0, days_8_to_30: 1, days_31_or_more: 0 },
          },
          {
            ...{ browser: 'chrome', cookie_set_by: 'script', signups: 2 },
            ...{ same_day: 0, days_1_to_7: 0, days_8_to_30: 1, days_31_or_more: 1 },
          },
        ],
      },
    });
  });

  it('is that of the first click, of signups in the period, of one partner if asked', async () => {
    const on = await ownedProgram(service);
    const other = await service.partner(on.program);
    await signUp(on, SAFARI, 2);
    await signUp({ ...on, link: other.link }, CHROME, 100);
    const [first] = (await ages(on, `&partner_id=${on.partnerId}`)).data.rows;
    expect(first).toMatchObject({ browser: 'safari', signups: 1 });
    expect((await ages(on, `&partner_id=${other.partnerId}`)).data.rows).toEqual([]);
  });

  it.each([
    ['&from=2026-07-01', 'from must be before to'],
    ['&from=2020-01-01', 'The period must be at most 731 days long'],
    ['&partner_id=x', 'partner_id must be a whole number'],
  ])('refuses %s', async (query, message) => {
    const on = await unchangedProgram(service);
    const { status, body } = await service.call('GET', manage(on, `/click-ages?to=2026-06-01${query}`), {
      key: on.owner.token,
    });
    expect([status, body.error.message]).toEqual([400, message]);
  });
});
