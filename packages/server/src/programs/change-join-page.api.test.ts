import {
  manage,
  memberOf,
  newAccount,
  type OwnedProgram,
  ownedProgram,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { PNG } from '@svc/testkit/service/routes/requests/programs.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const QUESTIONS = [
  { label: 'Your website', kind: 'text', required: true, options: [] },
  { label: 'How will you promote us?', kind: 'long_text', required: false, options: [] },
  { label: 'Where?', kind: 'choice', required: false, options: ['Blog', 'Newsletter'] },
];
const WEBSITE = { question: 'Your website', answer: ' https://blog.test ' };

const asOwner = (made: OwnedProgram, method: string, path: string, body?: object) =>
  service.call(method, manage(made, path), { key: made.owner.token, body });
const changePage = (made: OwnedProgram, body: object) => asOwner(made, 'PATCH', '/join-page', body);
const lookUp = (token: string) =>
  service.call('POST', '/api/v1/manage/invitations/look-up', { body: { token }, ip: '192.0.2.7' });
const accept = (account: TestAccount, token: string, body: object = {}) =>
  service.call('POST', '/api/v1/manage/invitations/accept', { key: account.token, body: { token, ...body } });
const applicationsOf = async (account: TestAccount) =>
  (await service.call('GET', '/api/v1/manage/me/applications', { key: account.token })).body.data;
const tokenIn = (url: string) => new URL(url).hash.slice(1);
const detailsOf = async (made: OwnedProgram, id: number) => (await asOwner(made, 'GET', `/partners/${id}`)).body.data;
const linksOf = async (made: OwnedProgram, account: TestAccount) =>
  (await service.call('GET', manage(made, '/links'), { key: account.token })).body.data;
const historyOf = async (made: OwnedProgram, id: number) =>
  (await asOwner(made, 'GET', `/partners/${id}/history`)).body.data.map(({ event }: { event: string }) => event);
const partnerIdOf = async (made: OwnedProgram, account: TestAccount) => {
  const { body } = await service.call('GET', '/api/v1/manage/me', { key: account.token });
  return body.data.partner_of.find((each: { program_id: number }) => each.program_id === made.program.id)?.partner_id;
};

/** A program with questions and an agreement, and the token of its join link. */
async function joinable(joining: 'open' | 'on_approval') {
  const made = await ownedProgram(service, { joining });
  const page = await changePage(made, { questions: QUESTIONS, agreement: 'No ads on our name.' });
  expect(page.status).toBe(200);
  const { body } = await asOwner(made, 'GET', '');
  const accepted = { agreements: [{ program_id: made.program.id, version: 1 }] };
  return { made, token: tokenIn(body.data.join_url), accepted };
}

describe('the join page', () => {
  it('says what the program offers, asks and requires', async () => {
    const { made, token } = await joinable('open');
    await changePage(made, { brand_color: '#1A7F5A' });
    const { data } = (await lookUp(token)).body;
    const agreement = { version: 1, text: 'No ads on our name.' };
    const terms = { commission: '20% per sale', cookie_window_days: 60, hold_days: 30, brand_color: '#1a7f5a' };
    expect(data.offers).toMatchObject([{ name: 'Acme', ...terms, questions: QUESTIONS, agreement }]);
  });

  it('keeps the answers with their questions, and who accepted which version when', async () => {
    const { made, token, accepted } = await joinable('on_approval');
    const account = await newAccount(service);
    const choice = { question: 'Where?', answer: 'Blog' };
    const answers = [
      choice,
      WEBSITE,
      { question: 'Not asked', answer: 'x' },
      { question: 'How will you promote us?', answer: ' ' },
    ];
    expect((await accept(account, token, { answers, ...accepted })).body.data.status).toBe('applied');
    await changePage(made, { questions: [], agreement: 'No ads at all.' });
    const partnerId = await partnerIdOf(made, account);
    expect(await detailsOf(made, partnerId)).toMatchObject({
      answers: [{ question: 'Your website', answer: 'https://blog.test' }, choice],
      agreements: [{ version: 1, accepted_at: service.time.toISOString() }],
    });
    const [kept] = await service.sql('select user_id from agreement_acceptances where partner_id = $1', [partnerId]);
    expect(kept).toEqual({ user_id: account.userId });
    // Once applied, nothing is asked again.
    expect((await accept(account, token)).body.data.status).toBe('applied');
    expect(await applicationsOf(account)).toEqual([
      {
        program_id: made.program.id,
        name: 'Acme',
        status: 'applied',
        created_at: service.time.toISOString(),
        answers: [{ question: 'Your website', answer: 'https://blog.test' }, choice],
        agreements: [{ version: 1, text: 'No ads on our name.', accepted_at: service.time.toISOString() }],
      },
    ]);
    expect(await applicationsOf(await newAccount(service))).toEqual([]);
  });

  it.each([
    ['a required answer is missing', { answers: [] }, 400, 'answers: "Your website" needs an answer'],
    [
      'an answer is not one of the options',
      { answers: [WEBSITE, { question: 'Where?', answer: 'TV' }] },
      400,
      'answers: the answer to "Where?" must be one of its options',
    ],
    [
      'an answer is too long for its question',
      { answers: [{ question: 'Your website', answer: 'x'.repeat(201) }] },
      400,
      'answers: the answer to "Your website" must be at most 200 characters',
    ],
    [
      'the agreement is not accepted',
      { answers: [WEBSITE], agreements: [] },
      400,
      'agreements: accept the agreement with Acme to become a partner',
    ],
    [
      'another version is accepted',
      { answers: [WEBSITE], agreements: [2] },
      409,
      'The agreement with Acme has changed in the meantime. Read and accept the new one.',
    ],
  ])('is refused when %s, and nothing is stored', async (_why, sent, status, message) => {
    const { made, token, accepted } = await joinable('open');
    const account = await newAccount(service);
    const agreements = (sent as { agreements?: number[] }).agreements?.map((version) => ({
      program_id: made.program.id,
      version,
    }));
    const answer = await accept(account, token, { ...accepted, ...sent, ...(agreements && { agreements }) });
    expect(answer).toMatchObject({ status, body: { error: { message } } });
    expect(await partnerIdOf(made, account)).toBeUndefined();
    expect(await service.sql('select 1 from partners where user_id = $1', [account.userId])).toEqual([]);
  });

  it('an unchanged agreement is no new version, and a removed one is not required', async () => {
    const { made, token } = await joinable('open');
    expect((await changePage(made, { agreement: ' No ads on our name. ' })).body.data.agreement.version).toBe(1);
    expect((await changePage(made, { agreement: 'Other' })).body.data.agreement).toMatchObject({
      version: 2,
      text: 'Other',
    });
    expect((await changePage(made, { agreement: null })).body.data.agreement).toBeNull();
    expect((await accept(await newAccount(service), token, { answers: [WEBSITE] })).status).toBe(200);
  });

  it('invited partners accept the agreement too, are not asked, and see the name that the brand entered', async () => {
    const { made, accepted } = await joinable('open');
    const body = { name: 'Joan', email: `${newId('joan')}@partner.test`, open_link: true };
    const { data: added } = (await asOwner(made, 'POST', '/partners', body)).body;
    const token = tokenIn(added.invite_url);
    const { data } = (await lookUp(token)).body;
    expect(data).toMatchObject({ name: 'Joan', offers: [{ questions: [], agreement: { version: 1 } }] });
    const account = await newAccount(service);
    expect((await accept(account, token)).status).toBe(400);
    expect((await accept(account, token, accepted)).status).toBe(200);
    expect(await detailsOf(made, added.id)).toMatchObject({ has_account: true, agreements: [{ version: 1 }] });
    expect(await historyOf(made, added.id)).toEqual(['invitation_accepted', 'invited', 'added']);
  });

  it('belongs to its workspace', async () => {
    const [made, other] = [await ownedProgram(service), await ownedProgram(service)];
    for (const [method, path] of [
      ['GET', '/join-page'],
      ['PATCH', '/join-page'],
      ['PUT', '/logo'],
    ] as const) {
      const answer = await service.call(method, manage(made, path), { key: other.owner.token, body: {} });
      expect(answer.status).toBe(404);
    }
  });
});

describe('the logo', () => {
  const upload = (made: OwnedProgram, image: string) => asOwner(made, 'PUT', '/logo', { image });

  it('is served with its type, for good, and runs nothing', async () => {
    const made = await ownedProgram(service);
    const { body } = await upload(made, PNG);
    const url = new URL(body.data.logo_url);
    expect(url.href).toMatch(/^https:\/\/track\.test\/logos\/[0-9a-f]{32}\.png$/);
    const served = await service.call('GET', url.pathname);
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(served.headers['content-length']).toBe(String(Buffer.from(PNG, 'base64').length));
    const { body: programs } = await service.call('GET', '/api/v1/manage/programs', { key: made.owner.token });
    expect(programs.data).toMatchObject([{ logo_url: url.href }]);
    expect((await asOwner(made, 'DELETE', '/logo')).body.data.logo_url).toBeNull();
    expect((await service.call('GET', url.pathname)).status).toBe(404);
  });

  it.each(['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'GIF89a', 'text'])(
    '%s is refused, whatever it is called',
    async (file) => {
      const made = await ownedProgram(service);
      const answer = await upload(made, Buffer.from(file).toString('base64'));
      expect(answer).toMatchObject({ status: 400, body: badRequest('image must be a PNG, JPEG or WebP file') });
    },
  );

  it('of more pixels than pages can show is refused, whatever its size in bytes', async () => {
    const made = await ownedProgram(service);
    const image = Buffer.from(PNG, 'base64');
    image.writeUInt32BE(2_001, 20);
    expect(await upload(made, image.toString('base64'))).toMatchObject({
      status: 400,
      body: badRequest('image must be at most 2000 × 2000 pixels, and is 1 × 2001. Scale it down and upload it again.'),
    });
    image.writeUInt32BE(2_000, 20);
    expect((await upload(made, image.toString('base64'))).status).toBe(200);
  });

  it.each(['/logos/x', `/logos/${'0'.repeat(32)}.png`, '/logos/..%2f..%2fetc'])('%s is not found', async (path) => {
    expect((await service.call('GET', path)).status).toBe(404);
  });
});

describe('a first link', () => {
  it('is created once when a partner joins, is approved or accepts an invitation', async () => {
    const made = await ownedProgram(service, { joining: 'open' });
    const token = tokenIn((await asOwner(made, 'GET', '')).body.data.join_url);
    const account = await newAccount(service);
    await Promise.all(Array.from({ length: 4 }, () => accept(account, token)));
    const [link, ...others] = await linksOf(made, account);
    expect(others).toEqual([]);
    expect(link).toMatchObject({
      active: true,
      url: expect.stringMatching(/^https:\/\/acme\.test\/\?aff=[0-9a-f]{12}$/),
    });
    expect(await service.clickId(link.short_link)).toMatch(/^cust_/);

    await service.call('DELETE', manage(made, `/links/${link.id}`), { key: account.token });
    const partnerId = await partnerIdOf(made, account);
    for (const status of ['removed', 'active']) await asOwner(made, 'PATCH', `/partners/${partnerId}`, { status });
    expect(await linksOf(made, account)).toEqual([]);
    expect(await historyOf(made, partnerId)).toEqual(['reactivated', 'removed', 'joined']);
  });

  it('is created once by concurrent approvals, and two partners of the same name get different ones', async () => {
    const made = await ownedProgram(service, { joining: 'on_approval' });
    const token = tokenIn((await asOwner(made, 'GET', '')).body.data.join_url);
    const accounts = [await newAccount(service), await newAccount(service)];
    for (const account of accounts) await accept(account, token);
    expect((await asOwner(made, 'GET', '/links')).body.data).toHaveLength(1);
    const ids = await Promise.all(accounts.map((account) => partnerIdOf(made, account)));
    const approve = (id: number) => asOwner(made, 'PATCH', `/partners/${id}`, { status: 'active' });
    await Promise.all([...ids, ...ids, ...ids].map(approve));
    const links = await Promise.all(accounts.map((account) => linksOf(made, account)));
    expect(links.map((each) => each.length)).toEqual([1, 1]);
    expect(links[0][0].short_link).not.toBe(links[1][0].short_link);
    expect(await historyOf(made, ids[0])).toEqual(['approved', 'applied']);
  });
});

describe('a program', () => {
  const setStatus = (made: OwnedProgram, status: string) => asOwner(made, 'PUT', '/status', { status });
  const clickStatus = async (link: string) =>
    (await service.click({ affiliate_url: `https://acme.test/?aff=${link}` })).status;

  it.each(['paused', 'archived'])(
    'that is %s counts no clicks, and its customers still earn commissions',
    async (status) => {
      const made = await ownedProgram(service, { joining: 'open' });
      const { body: before } = await asOwner(made, 'GET', '');
      await service.customer(made, 'user-1');
      expect((await setStatus(made, status)).body).toEqual({ data: { id: made.program.id, status } });
      await expect.poll(() => clickStatus(made.link)).toBe(410);
      const sale = { transaction_id: newId('order'), amount_cents: 4900, customer_key: 'user-1' };
      expect((await service.sale(sale, { key: made.apiKey })).body.data).toMatchObject({ commission_cents: 980 });
      expect((await lookUp(tokenIn(before.data.join_url))).status).toBe(404);
      const { body: chain } = await asOwner(made, 'POST', '/test-chain', {});
      expect(chain.data.verdict.click).toBe('attributed');

      await setStatus(made, 'active');
      await expect.poll(() => clickStatus(made.link)).toBe(200);
      expect((await lookUp(tokenIn(before.data.join_url))).status).toBe(200);
      const events = await service.sql(
        `select action from audit_events where subject = 'program' and subject_id = $1 and action = $2`,
        [String(made.program.id), 'program.status_changed'],
      );
      expect(events).toEqual([{ action: 'program.status_changed' }, { action: 'program.status_changed' }]);
    },
  );

  it('is deleted by an owner while nobody takes part in it, and its key stops working', async () => {
    const made = await ownedProgram(service);
    const conflict = platformError(
      409,
      'ConflictError',
      'Only a program without partners, customers, sales and payment processor can be deleted. Archive it instead.',
    );
    expect(await asOwner(made, 'DELETE', '')).toMatchObject({ status: 409, body: conflict });

    const body = { name: 'Empty', domain: 'empty.test' };
    const key = made.owner.token;
    const { data } = (await service.call('POST', '/api/v1/manage/programs', { key, body })).body;
    const empty = { ...made, program: { ...made.program, id: data.id } };
    await asOwner(empty, 'POST', '/test-chain', {});
    const member = await memberOf(service, made.workspaceId, 'member');
    const asMember = await service.call('DELETE', manage(empty), { key: member.token });
    expect(asMember.status).toBe(403);
    expect((await asOwner(empty, 'DELETE', '')).status).toBe(200);
    await expect.poll(async () => (await asOwner(empty, 'GET', '')).status).toBe(404);
    await expect.poll(async () => (await service.readiness(data.api_key)).status).toBe(401);
    const { body: programs } = await service.call('GET', '/api/v1/manage/programs', { key });
    expect(programs.data.map(({ id }: { id: number }) => id)).toEqual([made.program.id]);
  });

  it('that is being deleted gets no partner at the same moment', async () => {
    const made = await ownedProgram(service);
    const key = made.owner.token;
    const body = { name: 'Empty', domain: 'empty.test' };
    const { data } = (await service.call('POST', '/api/v1/manage/programs', { key, body })).body;
    const empty = { ...made, program: { ...made.program, id: data.id } };
    const partner = { name: 'Joan', email: `${newId('joan')}@partner.test` };
    const [deleted, added] = await Promise.all([
      asOwner(empty, 'DELETE', ''),
      asOwner(empty, 'POST', '/partners', partner),
    ]);
    expect([
      [200, 404],
      [409, 201],
    ]).toContainEqual([deleted.status, added.status]);
  });
});
