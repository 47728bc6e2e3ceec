import { manage, newAccount, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { rollUpCounts } from '../jobs/roll-up-counts.ts';
import { runJob } from '../jobs/run-jobs.ts';

const service = useService();

const asOwner = (made: OwnedProgram, method: string, path: string, body?: object) =>
  service.call(method, manage(made, path), { key: made.owner.token, body });
const clickStatus = async (link: string) =>
  (await service.click({ affiliate_url: `https://acme.test/?aff=${link}` })).status;

describe('inviting many partners', () => {
  const invite = (made: OwnedProgram, partners: object[], dry_run?: boolean) =>
    asOwner(made, 'POST', '/bulk/partners/invite', { partners, dry_run });
  const outcomes = (answer: Awaited<ReturnType<typeof invite>>) =>
    answer.body.data.map(({ outcome, message }: { outcome: string; message: string | null }) => message ?? outcome);

  it('gives every row its own outcome, changes nothing in a dry run, and nothing when it is repeated', async () => {
    const made = await ownedProgram(service, { joining: 'on_approval' });
    const [known, applicant] = [await newAccount(service), await newAccount(service)];
    const sister = await ownedProgram(service, { workspaceId: made.workspaceId });
    const addKnown = { name: 'Robin', email: known.email, open_link: true };
    const { body } = await service.call('POST', manage(sister, '/partners'), { key: made.owner.token, body: addKnown });
    const accept = (key: string, url: string) =>
      service.call('POST', '/api/v1/manage/invitations/accept', { key, body: { token: new URL(url).hash.slice(1) } });
    await accept(known.token, body.data.invite_url);
    await accept(applicant.token, (await asOwner(made, 'GET', '')).body.data.join_url);

    const email = `${newId('joan')}@partner.test`;
    const rows = [
      { name: 'Joan', email: ` ${email} ` },
      { name: 'Joan again', email: email.toUpperCase() },
      { name: 'Robin', email: known.email },
      { name: 'Robin', email: applicant.email },
      { name: ' ', email: 'a@partner.test' },
      { name: 'Nobody', email: 'nobody' },
      { name: 7, email: 'a@partner.test' },
      {},
    ];
    const applied = 'A partner with this email has applied through the join link. Approve them under Partners.';
    const refused = ['name is required', 'email must be an email address', 'name is required', 'name is required'];
    const expected = ['invited', 'repeated', 'added', applied, ...refused];
    const stored = () => service.sql('select count(*)::int from memberships where program_id = $1', [made.program.id]);
    const before = await stored();
    expect(outcomes(await invite(made, rows, true))).toEqual(expected);
    expect(await stored()).toEqual(before);

    const first = await invite(made, rows);
    expect(outcomes(first)).toEqual(expected);
    const [joan] = first.body.data;
    expect(joan.invite_url).toMatch(/^https:\/\/track\.test\/invite#svc_inv_/);
    const again = await invite(made, rows);
    expect(outcomes(again)).toEqual(['already_partner', 'repeated', 'already_partner', applied, ...refused]);
    expect(again.body.data[0]).toMatchObject({ partner_id: joan.partner_id, invite_url: null });
    // The link of the first time still works.
    expect((await accept((await newAccount(service, email)).token, joan.invite_url)).status).toBe(200);
  });

  it('sent twice at the same moment, invites everybody once', async () => {
    const made = await ownedProgram(service);
    const rows = Array.from({ length: 20 }, (_, n) => ({ name: `P${n}`, email: `${newId(`p${n}`)}@partner.test` }));
    const answers = await Promise.all([invite(made, rows), invite(made, rows)]);
    const urls = answers.flatMap(({ body }) => body.data.filter(({ invite_url: url }: { invite_url: string }) => url));
    expect(urls).toHaveLength(20);
    expect((await asOwner(made, 'GET', '/partners?totals=true')).body.meta.count).toBe(21);
  });
});

describe('a link', () => {
  const change = (made: OwnedProgram, id: number, key: string, body: object) =>
    service.call('PATCH', manage(made, `/links/${id}`), { key, body });

  it('can be edited by its partner and by the brand, and keeps its short link', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    const [{ id }] = (await asOwner(made, 'GET', '/links')).body.data;
    const body = { destination_url: '/pricing?a=1#top', label: ' Newsletter ', short_link: 'other' };
    expect((await change(made, id, token, body)).body.data).toMatchObject({
      short_link: made.link,
      destination_url: 'https://acme.test/pricing?a=1#top',
      url: `https://acme.test/pricing?a=1&aff=${made.link}#top`,
      label: 'Newsletter',
      active: true,
    });
    const reset = await change(made, id, made.owner.token, { destination_url: '', label: '' });
    expect(reset.body.data).toMatchObject({
      destination_url: null,
      label: null,
      url: `https://acme.test/?aff=${made.link}`,
    });
    const other = await partnerAccount(service, (await service.partner(made.program)).partnerId);
    expect((await change(made, id, other.token, { label: 'Mine' })).status).toBe(404);
  });

  it.each(['https://evil.test/', '//evil.test/x'])('cannot be led to %j', async (destination_url) => {
    const made = await ownedProgram(service);
    const [{ id }] = (await asOwner(made, 'GET', '/links')).body.data;
    for (const [method, path] of [
      ['PATCH', `/links/${id}`],
      ['POST', '/links'],
    ] as const) {
      const answer = await asOwner(made, method, path, { destination_url, partner_id: made.partnerId });
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/^destination_url must lead to https:\/\/acme\.test, to an https/);
    }
  });

  it.each(['//', '/\t/', '/\\evil.test', '/\t/evil.test'])('%j is no web address', async (destination_url) => {
    const made = await ownedProgram(service);
    const answer = await asOwner(made, 'POST', '/links', { partner_id: made.partnerId, destination_url });
    expect(answer).toMatchObject({
      status: 400,
      body: badRequest(
        'destination_url must be a web address, without a user name, a password, backslashes or control characters',
      ),
    });
  });

  it('that is deleted records no clicks, is never given out again, and its results stay', async () => {
    const made = await ownedProgram(service);
    const { token } = await partnerAccount(service, made.partnerId);
    await service.customer(made, 'user-1');
    await sold(service, made, { customer_key: 'user-1' });
    const [{ id }] = (await asOwner(made, 'GET', '/links')).body.data;
    const remove = (key: string) => service.call('DELETE', manage(made, `/links/${id}`), { key });
    expect((await remove(token)).status).toBe(200);
    expect((await remove(token)).status).toBe(404);
    expect((await change(made, id, token, { active: true })).status).toBe(404);
    await expect.poll(() => clickStatus(made.link)).toBe(400);
    expect((await asOwner(made, 'GET', '/links')).body.data).toEqual([]);
    const again = await asOwner(made, 'POST', '/links', { partner_id: made.partnerId, short_link: made.link });
    expect(again.status).toBe(409);

    const { body } = await asOwner(made, 'GET', '/links?deleted=true');
    const money = [{ currency: 'USD', revenue_cents: 10_000, commission_cents: 2000, payable_cents: 0 }];
    expect(body.data).toMatchObject([{ id, deleted_at: service.time.toISOString(), numbers: { sales: 1, money } }]);
    const sale = { transaction_id: newId('order'), amount_cents: 4900, customer_key: 'user-1' };
    expect((await service.sale(sale, { key: made.apiKey })).body.data).toMatchObject({ commission_cents: 980 });
    // Reports do not include the current moment.
    service.advance({ seconds: 1 });
    const report = await asOwner(made, 'GET', '/performance?group_by=link');
    expect(report.body.data.groups).toMatchObject([{ id, name: made.link }]);
  });
});

describe('lists of partners and links', () => {
  it('show what each has brought in, rolled up or not, sorted and with totals', async () => {
    const made = await ownedProgram(service);
    const second = await service.partner(made.program);
    const third = await service.partner(made.program);
    await sold(service, made);
    await runJob(service.ctx, rollUpCounts);
    await sold(service, made, { currency: 'EUR' });
    for (const _ of [1, 2, 3]) await service.clickId(second.link);

    const query = '?sort=-clicks&totals=true&limit=1';
    const { data, meta } = (await asOwner(made, 'GET', `/partners${query}`)).body;
    expect(data).toMatchObject([{ id: second.partnerId, numbers: { clicks: 3, leads: 0, sales: 0, money: [] } }]);
    const euros = { currency: 'EUR', revenue_cents: 10_000, commission_cents: 2000, payable_cents: 0 };
    const money = [euros, { ...euros, currency: 'USD' }];
    expect(meta).toMatchObject({ count: 3, totals: { clicks: 5, sales: 2, money } });
    const next = (await asOwner(made, 'GET', `/partners${query}&cursor=${meta.next_cursor}`)).body;
    expect(next.data).toMatchObject([{ id: made.partnerId, numbers: { clicks: 2, sales: 2, money } }]);

    const ids = async (path: string) =>
      (await asOwner(made, 'GET', path)).body.data.map(
        (row: { partner_id?: number; id: number }) => row.partner_id ?? row.id,
      );
    const byNumber = [third.partnerId, second.partnerId, made.partnerId];
    for (const sort of ['sales', 'revenue_cents', 'commission_cents', 'leads']) {
      expect((await ids(`/partners?sort=${sort}`)).at(-1)).toBe(made.partnerId);
      expect((await ids(`/links?sort=-${sort}`))[0]).toBe(made.partnerId);
    }
    expect(await ids('/links?sort=clicks')).toEqual([third.partnerId, made.partnerId, second.partnerId]);
    expect((await ids('/partners?sort=name')).toSorted()).toEqual(byNumber.toSorted());
    const links = (await asOwner(made, 'GET', '/links?totals=true')).body;
    expect(links.meta).toMatchObject({ count: 3, totals: { clicks: 5, sales: 2, money } });
  });

  it('sort partners by what is payable', async () => {
    const made = await ownedProgram(service, { holdDays: 0 });
    const second = await service.partner(made.program);
    const { commissionId } = await sold(service, made);
    await asOwner(made, 'POST', `/commissions/${commissionId}/approve`);
    const { data } = (await asOwner(made, 'GET', '/partners?sort=-payable_cents')).body;
    expect(data.map(({ id }: { id: number }) => id)).toEqual([made.partnerId, second.partnerId]);
    expect(data[0].numbers.money).toMatchObject([{ payable_cents: 2000 }]);
  });

  it('an applicant’s search and a cursor of another order are kept apart', async () => {
    const made = await ownedProgram(service);
    await service.partner(made.program);
    const { meta } = (await asOwner(made, 'GET', '/partners?sort=name&limit=1')).body;
    const other = await asOwner(made, 'GET', `/partners?sort=clicks&cursor=${meta.next_cursor}`);
    expect(other).toMatchObject({ status: 400, body: badRequest('cursor is not valid for this list') });
  });
});

describe('notes about a partner', () => {
  const notes = (made: OwnedProgram, rest = '') => `/partners/${made.partnerId}/notes${rest}`;

  it('say who wrote them when, and only the brand sees them', async () => {
    const made = await ownedProgram(service);
    const text = 'Met at the fair';
    const { status, body } = await asOwner(made, 'POST', notes(made), { text: ` ${text} ` });
    const note = { id: body.data.id, text, author: 'Robin', created_at: service.time.toISOString() };
    expect({ status, body }).toEqual({ status: 201, body: { data: note } });
    const { token } = await partnerAccount(service, made.partnerId);
    expect((await service.call('GET', manage(made, notes(made)), { key: token })).status).toBe(404);
    const sister = await ownedProgram(service, { workspaceId: made.workspaceId });
    expect((await asOwner(sister, 'GET', notes(made))).status).toBe(404);
    expect((await asOwner(made, 'GET', notes(made))).body).toEqual({ data: [note] });
    expect((await asOwner(made, 'DELETE', notes(made, `/${note.id}`))).status).toBe(200);
    expect((await asOwner(made, 'DELETE', notes(made, `/${note.id}`))).status).toBe(404);
    expect((await asOwner(made, 'GET', notes(made))).body).toEqual({ data: [] });
  });

  it('are at most a hundred, also if several are added at the same time', async () => {
    const made = await ownedProgram(service);
    await service.sql(
      `insert into partner_notes (program_id, partner_id, text, created_at) select $1, $2, 'x', now() from generate_series(1, 98)`,
      [made.program.id, made.partnerId],
    );
    const add = () => asOwner(made, 'POST', notes(made), { text: 'more' });
    const answers = await Promise.all([add(), add(), add(), add()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const message = 'There are 100 notes about this partner, which is the most. Delete one first.';
    expect((await add()).body).toEqual(platformError(409, 'ConflictError', message));
  });
});
