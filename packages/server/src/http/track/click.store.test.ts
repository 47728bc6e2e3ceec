import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const landing = (link: string) => `https://acme.test/?aff=${link}`;
const badRequest = (message: string) => platformError(400, 'BadRequestError', message);
const NOTHING = { customers: 0, clicks: 0, sales: 0, commissions: 0, refunds: 0, decisions: 0 };
const LINK_DISABLED = {
  success: false,
  message: 'This referral link is disabled.',
  error: {
    code: 'link_disabled',
    message: 'This referral link is disabled.',
    hint: 'The partner or the brand can re-enable the link; it then works again. No click was recorded.',
  },
};

const setMembership = ({ program, partnerId }: TestProgram, status: string) =>
  service.sql('update memberships set status = $3 where program_id = $1 and partner_id = $2', [
    program.id,
    partnerId,
    status,
  ]);
const setActive = (link: string, active: boolean) =>
  service.sql('update links set active = $2 where short_link = $1', [link, active]);
const deltas = (programId: number) => service.sql('select * from count_deltas where program_id = $1', [programId]);

describe('POST /api/v1/track/click', () => {
  it('answers 200 with success, click_id, partner_code and cookie_window_days, and stores customer and click', async () => {
    const { program, link, partnerId } = await service.program({ cookieWindowDays: 45 });
    const { status, body } = await service.click({ affiliate_url: landing(link) });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      click_id: expect.stringMatching(/^cust_\d+_\d+$/),
      partner_code: link,
      cookie_window_days: 45,
    });
    const [customer] = await service.sql('select * from customers where program_id = $1', [program.id]);
    expect(customer).toMatchObject({ partner_id: partnerId, status: 'click', is_test: false });
    expect(body.click_id).toBe(`cust_${customer?.id}_${service.time.getTime()}`);
    expect(await service.counts(program.id)).toEqual({ ...NOTHING, customers: 1, clicks: 1 });
  });

  it('returns the default cookie_window_days of 60', async () => {
    const { link } = await service.program();
    expect((await service.click({ affiliate_url: landing(link) })).body.cookie_window_days).toBe(60);
  });

  it('creates a new customer for every first click', async () => {
    const { program, link } = await service.program();
    const first = await service.clickId(link);
    expect(await service.clickId(link)).not.toBe(first);
    expect(await service.counts(program.id)).toMatchObject({ customers: 2, clicks: 2 });
  });

  it.each([
    ['http', (link: string) => `http://acme.test/?aff=${link}`],
    ['a path, other parameters and a fragment', (link: string) => `https://acme.test/a/b?x=1&aff=${link}&y=2#top`],
    ['a host other than the program’s', (link: string) => `https://elsewhere.example/?aff=${link}`],
    ['an escaped aff', (link: string) => `https://acme.test/?aff=${link.replace('-', '%2D')}`],
    ['two aff parameters, of which the first counts', (link: string) => `${landing(link)}&aff=other`],
  ])('accepts an affiliate_url with %s', async (_case, url) => {
    const { program, link } = await service.program();
    const { status, body } = await service.click({ affiliate_url: url(link) });
    expect(status).toBe(200);
    expect(body.partner_code).toBe(link);
    expect(await service.counts(program.id)).toMatchObject({ customers: 1, clicks: 1 });
  });
});

describe('a click gets 400', () => {
  it.each([
    ['affiliate_url is required', 'field absent', {}],
    ['affiliate_url is required', 'null counts as absent', { affiliate_url: null }],
    ['affiliate_url is required', 'empty', { affiliate_url: '' }],
    ['Invalid affiliate_url', 'not parsable as a URL', { affiliate_url: 'https://' }],
    ['Invalid affiliate_url', 'scheme missing', { affiliate_url: 'acme.test/?aff=x' }],
    ['Invalid affiliate_url', 'scheme missing before a port', { affiliate_url: 'localhost:3000/?aff=x' }],
    ['Invalid affiliate_url', 'neither http nor https', { affiliate_url: 'ftp://acme.test/?aff=x' }],
    ['Invalid affiliate_url', 'a number', { affiliate_url: 7 }],
    ['No aff parameter found in affiliate_url', 'no aff query parameter', { affiliate_url: 'https://acme.test/?a=1' }],
    ['No aff parameter found in affiliate_url', 'an empty aff', { affiliate_url: 'https://acme.test/?aff=' }],
    ['No aff parameter found in affiliate_url', 'aff in the fragment', { affiliate_url: 'https://acme.test/#?aff=x' }],
    ['No aff parameter found in affiliate_url', 'AFF in capitals', { affiliate_url: 'https://acme.test/?AFF=x' }],
    ['Referral link not found', 'no link matches aff', { affiliate_url: landing('nobody-has-this') }],
    ['Referral link not found', 'aff with NUL', { affiliate_url: landing('%00') }],
    ['Referral link not found', 'aff too long', { affiliate_url: landing('x'.repeat(256)) }],
  ])('%s: %s', async (message, _condition, body) => {
    const { program } = await service.program();
    const answer = await service.click(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(badRequest(message));
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });

  it('Referral link not found: aff in another case', async () => {
    const { program, link } = await service.program();
    const answer = await service.click({ affiliate_url: landing(link.toUpperCase()) });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(badRequest('Referral link not found'));
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });

  it.each(['partner_id', 'program_id'])('Invalid referral link configuration: link lacks its %s', async (column) => {
    const { program, link } = await service.program();
    await service.sql(`update links set ${column} = null where short_link = $1`, [link]);
    const answer = await service.click({ affiliate_url: landing(link) });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(badRequest('Invalid referral link configuration'));
    expect(await service.counts(program.id)).toEqual(NOTHING);
    expect(await deltas(program.id)).toEqual([]);
  });
});

describe('410 link_disabled', () => {
  it('is the typed envelope with top-level success and message, and no click is recorded', async () => {
    const { program, link } = await service.program();
    await setActive(link, false);
    const answer = await service.click({ affiliate_url: landing(link) });
    expect(answer.status).toBe(410);
    expect(answer.body).toEqual(LINK_DISABLED);
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await service.counts(program.id)).toEqual(NOTHING);
    expect(await deltas(program.id)).toEqual([]);
  });

  it.each(['blocked', 'removed'])('is returned for every link of a partner who is %s', async (status) => {
    const created = await service.program();
    const other = await service.partner(created.program);
    await service.sql('insert into links (short_link, program_id, partner_id) values ($1, $2, $3)', [
      `${created.link}-second`,
      created.program.id,
      created.partnerId,
    ]);
    await setMembership(created, status);
    for (const link of [created.link, `${created.link}-second`]) {
      const answer = await service.click({ affiliate_url: landing(link) });
      expect(answer.status).toBe(410);
      expect(answer.body).toEqual(LINK_DISABLED);
    }
    expect(await service.counts(created.program.id)).toEqual(NOTHING);
    expect((await service.click({ affiliate_url: landing(other.link) })).status).toBe(200);
  });

  it('is returned only in the program that blocked the partner', async () => {
    const here = await service.program();
    const there = await service.program({ workspaceId: here.workspaceId });
    await service.sql('insert into memberships (program_id, partner_id) values ($1, $2)', [
      there.program.id,
      here.partnerId,
    ]);
    const elsewhere = `${here.link}-there`;
    await service.sql('insert into links (short_link, program_id, partner_id) values ($1, $2, $3)', [
      elsewhere,
      there.program.id,
      here.partnerId,
    ]);
    await setMembership(here, 'blocked');
    expect((await service.click({ affiliate_url: landing(here.link) })).status).toBe(410);
    expect((await service.click({ affiliate_url: landing(elsewhere) })).status).toBe(200);
  });

  it('is no longer returned once the link is enabled again', async () => {
    const { program, link } = await service.program();
    const status = async () => (await service.click({ affiliate_url: landing(link) })).status;
    await setActive(link, false);
    expect(await status()).toBe(410);
    await setActive(link, true);
    await expect.poll(status).toBe(200);
    expect(await service.counts(program.id)).toEqual({ ...NOTHING, customers: 1, clicks: 1 });
  });

  it('is no longer returned once the partner is unblocked', async () => {
    const created = await service.program();
    const status = async () => (await service.click({ affiliate_url: landing(created.link) })).status;
    await setMembership(created, 'blocked');
    expect(await status()).toBe(410);
    await setMembership(created, 'active');
    await expect.poll(status).toBe(200);
    expect(await service.counts(created.program.id)).toEqual({ ...NOTHING, customers: 1, clicks: 1 });
  });

  it('is returned for a link that was clicked before it was disabled', async () => {
    const { program, link } = await service.program();
    const status = async () => (await service.click({ affiliate_url: landing(link) })).status;
    expect(await status()).toBe(200);
    await setActive(link, false);
    await expect.poll(status).toBe(410);
    const counts = await service.counts(program.id);
    expect(await status()).toBe(410);
    expect(await service.counts(program.id)).toEqual(counts);
  });
});

describe('the checks of a click run in the order', () => {
  const foreign = { origin: 'https://elsewhere.example' };
  const cannotBeStored = { page_title: 'a\0b' };

  it.each([
    ['required → parse', {}, 'affiliate_url is required'],
    ['parse → aff', { affiliate_url: 'acme.test' }, 'Invalid affiliate_url'],
    ['aff → the other fields', { affiliate_url: 'https://acme.test/' }, 'No aff parameter found in affiliate_url'],
    [
      'the other fields → link found',
      { affiliate_url: landing('nobody-has-this') },
      'page_title contains characters that cannot be stored',
    ],
  ])('%s', async (_order, body, message) => {
    const answer = await service.click({ ...body, ...cannotBeStored }, { headers: foreign });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(badRequest(message));
  });

  it('link found → link has partner and program → origin → link active', async () => {
    const { program, partnerId, link } = await service.program();
    const send = (aff: string) => service.click({ affiliate_url: landing(aff) }, { headers: foreign });
    expect((await send(`${link}-unknown`)).body).toEqual(badRequest('Referral link not found'));

    await service.sql('update links set active = false, partner_id = null where short_link = $1', [link]);
    expect((await send(link)).body).toEqual(badRequest('Invalid referral link configuration'));

    const disabled = `${link}-disabled`;
    await service.sql('insert into links (short_link, program_id, partner_id, active) values ($1, $2, $3, false)', [
      disabled,
      program.id,
      partnerId,
    ]);
    expect((await send(disabled)).body).toEqual(
      platformError(403, 'ForbiddenError', 'Origin not allowed for this program'),
    );
    expect((await service.click({ affiliate_url: landing(disabled) })).body).toEqual(LINK_DISABLED);
    expect(await service.counts(program.id)).toEqual(NOTHING);
  });
});

describe('500 Click tracking failed', () => {
  it('is returned for a click that cannot be stored, without affecting concurrent clicks', async () => {
    const { program, link } = await service.program();
    await service.sql(`alter table clicks add constraint no_fault check (page_title is distinct from 'fault')`);
    const titles = ['one', 'fault', 'two'];
    const answers = await Promise.all(
      titles.map((page_title) =>
        service.click(
          { affiliate_url: landing(link), page_title },
          { headers: { 'x-request-id': `id-${page_title}` } },
        ),
      ),
    );
    await service.sql('alter table clicks drop constraint no_fault');
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200]);
    expect(answers[1]?.body).toEqual(platformError(500, 'InternalServerError', 'Click tracking failed'));
    expect(answers[1]?.headers['x-request-id']).toBe('id-fault');
    expect(await service.counts(program.id)).toEqual({ ...NOTHING, customers: 2, clicks: 2 });

    expect((await service.click({ affiliate_url: landing(link), page_title: 'fault' })).status).toBe(200);
  });
});
