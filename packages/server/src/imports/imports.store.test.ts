import { manage, memberOf, newAccount, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { importedCounts, importedRow, newPartnerEmail, sendRows } from '@svc/testkit/service/imports.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const id = expect.any(Number);
const NOTHING = { partners: 0, links: 0, coupons: 0, customers: 0, balances: 0 };

describe('an import', () => {
  it('creates partners with links, coupons, customers and balances, and says so row by row', async () => {
    const made = await ownedProgram(service);
    const [code, key, coupon] = [newId('jane'), newId('user'), newId('SAVE')];
    const row = {
      partner: { email: ' Jane@Partner.test ', name: 'Jane Doe', external_id: 'aff_1' },
      links: [{ parameter: 'via', code, destination_url: 'https://acme.test/pricing' }],
      coupons: [coupon],
      customers: [{ external_id: key, processor_customer_id: newId('cus'), first_seen_at: '2024-01-02T03:04:05Z' }],
      balances: [{ currency: 'usd', pending_cents: 100, approved_cents: 200, paid_cents: 300 }],
    };
    const { status, body } = await sendRows(service, made, [row]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          dry_run: false,
          import: {
            id,
            source: 'rewardful',
            status: 'open',
            created: { partners: 1, links: 1, coupons: 1, customers: 1, balances: 1 },
            merged: NOTHING,
            created_by: 'Robin',
            created_at: service.time.toISOString(),
            updated_at: service.time.toISOString(),
            undone_at: null,
          },
          rows: [
            {
              row: 0,
              outcome: 'created',
              partner_id: id,
              messages: [],
              links: [{ code, outcome: 'created', link_id: id, short_link: code, alias: false, message: null }],
              coupons: [{ code: coupon, outcome: 'created', coupon_id: id, message: null }],
              customers: [{ external_id: key, outcome: 'created', customer_id: id, message: null }],
              balances: [{ currency: 'USD', outcome: 'created', commission_id: null, message: null }],
            },
          ],
        },
      },
    });
    const [partner] = await service.sql(
      `select p.email, p.name, p.user_id, m.status from partners p join memberships m on m.partner_id = p.id
       where m.program_id = $1 and p.id = $2`,
      [made.program.id, body.data.rows[0].partner_id],
    );
    expect(partner).toEqual({ email: 'Jane@Partner.test', name: 'Jane Doe', user_id: null, status: 'active' });
    expect(await service.sql('select 1 from mails where advertiser_id = $1', [made.workspaceId])).toEqual([]);
    expect(
      await service.sql('select 1 from invitations where partner_id = $1', [body.data.rows[0].partner_id]),
    ).toEqual([]);
    expect(await service.clickId(code)).toMatch(/^cust_/);
  });

  it('refuses a request with more parts than a short transaction can have', async () => {
    const made = await ownedProgram(service);
    const customers = Array.from({ length: 500 }, (_, index) => ({ external_id: index }));
    const rows = Array.from({ length: 20 }, () => importedRow({ links: [], customers }));
    const answer = await sendRows(service, made, [null, ...rows, importedRow({ customers: [] })], { dry_run: true });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { message: 'rows must have at most 10000 links, coupons, customers and balances together' } },
    });
  });

  it('changes nothing when it is sent again', async () => {
    const made = await ownedProgram(service);
    const rows = Array.from({ length: 20 }, () =>
      importedRow({
        coupons: [newId('SAVE')],
        customers: [{ external_id: newId('user'), email: `${newId('c')}@shop.test` }],
        balances: [{ currency: 'EUR', approved_cents: 5 }],
      }),
    );
    const first = await sendRows(service, made, rows, { pay_approved: true });
    const before = await importedCounts(service, made);
    const again = await sendRows(service, made, rows, { pay_approved: true });
    expect(await importedCounts(service, made)).toEqual(before);
    expect(again.body.data.import).toEqual(first.body.data.import);
    const outcomes = again.body.data.rows.flatMap((row: Record<string, { outcome: string }[]>) => [
      row.outcome,
      ...[row.links, row.coupons, row.customers, row.balances].flat().map((part) => part?.outcome),
    ]);
    expect(new Set(outcomes)).toEqual(new Set(['unchanged']));
  });

  it('adds what later requests bring to the same partner', async () => {
    const made = await ownedProgram(service);
    const row = importedRow();
    const { body } = await sendRows(service, made, [row]);
    const more = { ...row, links: [...row.links, { parameter: 'ref', code: newId('more') }] };
    const again = await sendRows(service, made, [more]);
    expect(again.body.data.rows[0]).toMatchObject({
      outcome: 'merged',
      partner_id: body.data.rows[0].partner_id,
      links: [{ outcome: 'unchanged' }, { outcome: 'created' }],
    });
    expect(again.body.data.import).toMatchObject({ id: body.data.import.id, created: { partners: 1, links: 2 } });
  });

  it('merges rows with the same address, whatever its case', async () => {
    const made = await ownedProgram(service);
    const email = newPartnerEmail();
    const rows = [importedRow({ partner: { email } }), importedRow({ partner: { email: email.toUpperCase() } })];
    const { body } = await sendRows(service, made, rows);
    const [one, other] = body.data.rows;
    expect(other).toMatchObject({
      outcome: 'merged',
      partner_id: one.partner_id,
      messages: [
        { field: 'partner.email', message: 'Row 0 has the same email address. This row adds to its partner.' },
      ],
      links: [{ outcome: 'created' }],
    });
    const links = await service.sql('select 1 from links where partner_id = $1', [one.partner_id]);
    expect(links).toHaveLength(2);
  });

  it('merges with partners whom the program has for another reason', async () => {
    const made = await ownedProgram(service);
    const [{ email }] = (await service.sql('select email from partners where id = $1', [made.partnerId])) as [
      { email: string },
    ];
    const row = importedRow({ partner: { email } });
    const { body } = await sendRows(service, made, [row]);
    expect(body.data.rows[0]).toMatchObject({ outcome: 'merged', partner_id: made.partnerId });
    expect(body.data.import).toMatchObject({ created: { partners: 0, links: 1 }, merged: { partners: 1 } });
    const [partner] = await service.sql('select name from partners where id = $1', [made.partnerId]);
    expect(partner).toEqual({ name: 'Jane' });
  });

  it('lists rows that cannot be read with their fields, and takes the others', async () => {
    const made = await ownedProgram(service);
    const rows = [
      'text',
      null,
      { partner: { email: 'nobody', name: '' }, links: [{ parameter: 'a b', code: 'a/b' }] },
      importedRow({ balances: [{ currency: 'XYZ', approved_cents: 1.5, paid_cents: -1 }] }),
      importedRow({ customers: [{ external_id: '' }, { external_id: 'a', first_seen_at: 'yesterday' }] }),
      importedRow(),
    ];
    const { status, body } = await sendRows(service, made, rows);
    expect(status).toBe(200);
    const MAX = 'must be a whole number from 0 to 1000000000000';
    expect(body.data.rows.map(({ outcome, messages }: Record<string, unknown>) => ({ outcome, messages }))).toEqual([
      { outcome: 'refused', messages: [{ field: null, message: 'row must be an object' }] },
      { outcome: 'refused', messages: [{ field: null, message: 'row must be an object' }] },
      {
        outcome: 'refused',
        messages: [
          { field: 'partner.email', message: 'email must be an email address' },
          { field: 'partner.name', message: 'name is required' },
          {
            field: 'links[0].parameter',
            message: 'parameter must be 1 to 32 letters, digits, hyphens or underscores',
          },
          { field: 'links[0].code', message: 'code must be 1 to 64 letters, digits, hyphens, underscores or dots' },
        ],
      },
      {
        outcome: 'refused',
        messages: [
          { field: 'balances[0].currency', message: 'currency must be an ISO 4217 code' },
          { field: 'balances[0].approved_cents', message: `approved_cents ${MAX}` },
          { field: 'balances[0].paid_cents', message: `paid_cents ${MAX}` },
        ],
      },
      {
        outcome: 'refused',
        messages: [
          { field: 'customers[0].external_id', message: 'external_id is required' },
          {
            field: 'customers[1].first_seen_at',
            message: 'first_seen_at must be an ISO 8601 time with a time zone',
          },
        ],
      },
      { outcome: 'created', messages: [] },
    ]);
  });

  it('says in a dry run what would happen, and changes nothing', async () => {
    const made = await ownedProgram(service);
    const before = await importedCounts(service, made);
    const clash = newId('code');
    const rows = [
      importedRow({ links: [{ parameter: 'via', code: clash }], coupons: [newId('SAVE')] }),
      importedRow({ links: [{ parameter: 'via', code: clash }] }),
      importedRow({ links: [{ parameter: 'via', code: newId('x'), destination_url: 'https://evil.test/' }] }),
    ];
    const dry = await sendRows(service, made, rows, { dry_run: true });
    expect(await importedCounts(service, made)).toEqual(before);
    expect(dry.body.data).toMatchObject({ import: null, dry_run: true });
    const real = await sendRows(service, made, rows);
    const outcomes = ({ body }: typeof dry) =>
      body.data.rows.map(({ outcome, links }: { outcome: string; links: { outcome: string; message: string }[] }) => [
        outcome,
        ...links.map((link) => [link.outcome, link.message]),
      ]);
    expect(outcomes(dry)).toEqual([
      ['created', ['created', null]],
      ['created', ['refused', 'Row 0 has this code for another partner.']],
      [
        'created',
        [
          'refused',
          'destination_url must lead to https://acme.test, to an https subdomain of it, or to one of the program’s allowed ' +
            'origins. The brand can allow more in the dashboard: program Settings, Origins.',
        ],
      ],
    ]);
    expect(outcomes(real)).toEqual(outcomes(dry));
    expect(dry.body.data.rows[0]).toMatchObject({ partner_id: null, links: [{ link_id: null }] });
  });

  it('refuses codes and coupons of other partners of the program, and names them', async () => {
    const made = await ownedProgram(service);
    const coupon = newId('save');
    await sendRows(service, made, [importedRow({ partner: { name: 'Ann' }, coupons: [coupon] })]);
    const rows = [importedRow({ links: [{ parameter: 'via', code: made.link }], coupons: [coupon.toUpperCase()] })];
    const { body } = await sendRows(service, made, rows);
    expect(body.data.rows[0]).toMatchObject({
      outcome: 'created',
      links: [
        {
          outcome: 'refused',
          link_id: null,
          message: `The code ${made.link} is already a link of Jane in this program.`,
        },
      ],
      coupons: [{ outcome: 'refused', message: 'The code is already a coupon of Ann in this program.' }],
    });
  });

  it('refuses partners who are blocked, who were removed, or who only applied', async () => {
    const made = await ownedProgram(service);
    const emails = await Promise.all(
      ['blocked', 'removed', 'applied'].map(async (status) => {
        const { partnerId } = await service.partner(made.program);
        await service.sql('update memberships set status = $2 where partner_id = $1', [partnerId, status]);
        const [{ email }] = (await service.sql('select email from partners where id = $1', [partnerId])) as [
          { email: string },
        ];
        return email;
      }),
    );
    const before = await importedCounts(service, made);
    const { body } = await sendRows(
      service,
      made,
      emails.map((email) => importedRow({ partner: { email } })),
    );
    const messages = body.data.rows.map(({ outcome, messages }: { outcome: string; messages: object[] }) => [
      outcome,
      ...messages,
    ]);
    const field = 'partner.email';
    expect(messages).toEqual([
      ['refused', { field, message: 'The partner is blocked in this program.' }],
      ['refused', { field, message: 'The partner was removed from this program.' }],
      [
        'refused',
        { field, message: 'The partner has applied and was not approved yet. Approve them under Partners first.' },
      ],
    ]);
    expect(await importedCounts(service, made)).toEqual(before);
  });

  it('does not take over an account, and does not tell that an address has one elsewhere', async () => {
    const made = await ownedProgram(service);
    const stranger = await newAccount(service);
    const { body } = await sendRows(service, made, [
      importedRow({ partner: { email: stranger.email } }),
      importedRow(),
    ]);
    const shapes = body.data.rows.map(({ outcome, messages }: Record<string, unknown>) => ({ outcome, messages }));
    expect(shapes[0]).toEqual(shapes[1]);
    const seen = await service.call('GET', manage(made, '/links'), { key: stranger.token });
    expect(seen.status).toBe(404);
  });

  it('is of its program only', async () => {
    const [made, other] = [await ownedProgram(service), await ownedProgram(service)];
    const { body } = await sendRows(service, made, [importedRow()]);
    for (const [method, path] of [
      ['GET', `/imports/${body.data.import.id}`],
      ['POST', `/imports/${body.data.import.id}/undo`],
    ] as const) {
      expect((await service.call(method, manage(other, path), { key: other.owner.token })).status).toBe(404);
      expect((await service.call(method, manage(made, path), { key: other.owner.token })).status).toBe(404);
    }
    const listed = await service.call('GET', manage(other, '/imports'), { key: other.owner.token });
    expect(listed.body.data).toEqual([]);
    const finance = await memberOf(service, made.workspaceId, 'finance');
    const refused = await service.call('POST', manage(made, '/imports'), {
      key: finance.token,
      body: { source: 'rewardful', rows: [importedRow()] },
    });
    expect(refused.status).toBe(403);
  });
});
