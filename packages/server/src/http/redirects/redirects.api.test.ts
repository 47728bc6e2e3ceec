import { type CallOptions, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const CLICK_ID = /^cust_\d+_\d+$/;

/** Opens a short address as a browser does. */
const open = (shortLink: string, query = '', { headers, ...options }: CallOptions & { method?: string } = {}) =>
  service.call(options.method ?? 'GET', `/r/${shortLink}${query}`, {
    ...options,
    headers: { 'user-agent': CHROME, ...headers },
  });

const leadTo = (made: TestProgram, destination: string | null) =>
  service.sql('update links set destination_url = $2 where short_link = $1', [made.link, destination]);

/** Where a visitor is led, with the click id replaced, so that the whole address can be compared. */
async function location(shortLink: string, query = '', options: CallOptions = {}): Promise<string> {
  const { headers } = await open(shortLink, query, options);
  return String(headers.location).replace(/svc_click_id=cust_\d+_\d+/, 'svc_click_id=ID');
}

const clicks = (made: TestProgram) =>
  service.sql('select * from clicks where program_id = $1 order by id', [made.program.id]);

describe('GET /r/:short_link', () => {
  it('answers 302, not stored by caches, to the destination with aff and the id of the click that it recorded', async () => {
    const made = await service.program();
    await leadTo(made, 'https://www.acme.test/pricing?plan=pro#yearly');
    const { status, headers, text } = await open(made.link);
    expect(status).toBe(302);
    expect(text).toBe('');
    const [customer] = await service.sql<{ id: number }>('select * from customers where program_id = $1', [
      made.program.id,
    ]);
    const id = `cust_${customer?.id}_${service.time.getTime()}`;
    expect(headers.location).toBe(`https://www.acme.test/pricing?plan=pro&aff=${made.link}&svc_click_id=${id}#yearly`);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(customer).toMatchObject({ partner_id: made.partnerId, status: 'click', is_test: false });
  });

  it('keeps with the click what is known about the visit', async () => {
    const made = await service.program();
    await open(made.link, '?sub=newsletter-42&utm_source=mail', {
      headers: { referer: 'https://blog.example/review' },
    });
    expect(await clicks(made)).toMatchObject([
      {
        partner_id: made.partnerId,
        affiliate_url: `https://acme.test/?sub=newsletter-42&utm_source=mail&aff=${made.link}`,
        referrer_url: 'https://blog.example/review',
        user_agent: CHROME,
        sub: 'newsletter-42',
        is_test: false,
      },
    ]);
  });

  it('leads to the start page of the program’s site if the link has no destination', async () => {
    const made = await service.program();
    expect(await location(made.link)).toBe(`https://acme.test/?aff=${made.link}&svc_click_id=ID`);
  });

  it('the click counts: its customer signs up, pays, and the partner earns', async () => {
    const made = await service.program();
    const { headers } = await open(made.link);
    const clickId = new URL(String(headers.location)).searchParams.get('svc_click_id');
    expect(clickId).toMatch(CLICK_ID);
    await service.lead({ click_id: clickId, customer_key: 'u1' }, { key: made.apiKey });
    const sale = { transaction_id: `order-${made.link}`, customer_key: 'u1', amount_cents: 4900 };
    expect((await service.sale(sale, { key: made.apiKey })).body.data).toMatchObject({
      attributed: true,
      commission_cents: 980,
    });
  });

  it('a click on the test link of a program is a test', async () => {
    const made = await service.program();
    await service.sql('update links set is_test = true where short_link = $1', [made.link]);
    expect(await location(made.link)).toContain('svc_click_id=ID');
    expect(await clicks(made)).toMatchObject([{ is_test: true }]);
    expect(await service.sql('select * from count_deltas where program_id = $1', [made.program.id])).toEqual([]);
  });
});

describe('the query of a short address', () => {
  it.each([
    ['is passed on as it is written', '?utm_source=a%20b+c&x&y=&utm_source=d', 'utm_source=a%20b+c&x&y=&utm_source=d&'],
    ['replaces parameters of the same name', '?plan=basic', 'plan=basic&'],
    ['cannot replace aff', '?aff=mallory&%61ff=m', 'plan=pro&'],
    ['cannot replace the click id', '?svc_click_id=cust_1_1&svc%5Fclick_id=cust_2_2', 'plan=pro&'],
    ['may be broken', '?%=1&%zz&&=2&?aff=3', 'plan=pro&%=1&%zz&=2&?aff=3&'],
    ['stays in the query', '?a=1%23b%26c', 'plan=pro&a=1%23b%26c&'],
  ])('%s: %s', async (_case, query, expected) => {
    const made = await service.program();
    await leadTo(made, 'https://acme.test/x?plan=pro&aff=typed&svc_click_id=typed#end');
    const kept = expected.includes('plan=') ? '' : 'plan=pro&';
    expect(await location(made.link, query)).toBe(
      `https://acme.test/x?${kept}${expected}aff=${made.link}&svc_click_id=ID#end`,
    );
    expect(await clicks(made)).toMatchObject([{ partner_id: made.partnerId }]);
  });

  it.each(['??aff=mallory', '??svc_click_id=cust_1_1', '???aff=mallory&?svc_click_id=cust_1_1'])(
    'that begins with a question mark cannot smuggle in what the service sets: %s',
    async (query) => {
      const made = await service.program();
      const led = async () => new URL(String((await open(made.link, query)).headers.location)).searchParams;
      const parameters = await led();
      expect(parameters.getAll('aff')).toEqual([made.link]);
      expect(parameters.getAll('svc_click_id')).toEqual([expect.stringMatching(CLICK_ID)]);
      await service.sql('update links set active = false where short_link = $1', [made.link]);
      await expect.poll(async () => [...(await led()).keys()]).not.toContain('aff');
      expect((await led()).has('svc_click_id')).toBe(false);
    },
  );

  it.each([
    ['sub-ids longer than 64 characters are passed on and not kept', `?sub=${'x'.repeat(65)}`, null],
    ['the first of several sub-ids counts', '?sub=one&sub=two', 'one'],
    ['spaces at the ends of a sub-id are removed', '?sub=%20one%20', 'one'],
    ['a sub-id that cannot be stored is not kept', '?sub=a%00b', null],
  ])('%s', async (_case, query, sub) => {
    const made = await service.program();
    expect(await location(made.link, query)).toBe(`https://acme.test/${query}&aff=${made.link}&svc_click_id=ID`);
    expect(await clicks(made)).toMatchObject([{ sub }]);
  });

  it('of one visitor says nothing about where the next one is led', async () => {
    const made = await service.program();
    await leadTo(made, 'https://acme.test/x?plan=pro#');
    const rest = `aff=${made.link}&svc_click_id=ID#`;
    for (const [query, expected] of [
      ['?plan=basic&sub=one', 'plan=basic&sub=one&'],
      ['', 'plan=pro&'],
      ['', 'plan=pro&'],
      ['?sub=two', 'plan=pro&sub=two&'],
      ['?plan=basic&sub=one', 'plan=basic&sub=one&'],
    ] as const) {
      expect(await location(made.link, query)).toBe(`https://acme.test/x?${expected}${rest}`);
    }
    expect((await clicks(made)).map(({ sub }) => sub)).toEqual(['one', null, null, 'two', 'one']);
    await leadTo(made, 'https://acme.test/y');
    await expect.poll(() => location(made.link, '?sub=two')).toContain('https://acme.test/y?sub=two&');
  });

  it('longer than an address that is kept leaves a click without it', async () => {
    const made = await service.program();
    const long = `?long=${'x'.repeat(3_000)}`;
    expect(await location(made.link, long)).toBe(`https://acme.test/${long}&aff=${made.link}&svc_click_id=ID`);
    expect(await clicks(made)).toMatchObject([{ affiliate_url: null }]);
  });
});

describe('to', () => {
  it.each([
    ['/', 'https://www.acme.test/?'],
    ['/pricing', 'https://www.acme.test/pricing?'],
    ['/pricing?plan=pro#yearly', 'https://www.acme.test/pricing?plan=pro&'],
    ['%2Fpricing%3Fnext%3D%252Fstart', 'https://www.acme.test/pricing?next=%2Fstart&'],
    ['/a/../b', 'https://www.acme.test/b?'],
    ['/preis/übersicht', 'https://www.acme.test/preis/%C3%BCbersicht?'],
  ])('%s leads to that page of the link’s host, and is not passed on', async (to, expected) => {
    const made = await service.program();
    await leadTo(made, 'https://www.acme.test/start?ref=own#top');
    const found = await location(made.link, `?to=${to.includes('%') ? to : encodeURIComponent(to)}&utm=1`);
    const hash = to.includes('#') ? '#yearly' : '';
    expect(found).toBe(`${expected}utm=1&aff=${made.link}&svc_click_id=ID${hash}`);
  });
});

describe('a short link', () => {
  it('is found by its name and its program too', async () => {
    const made = await service.program();
    expect(await location(`${made.link}~${made.program.id}`)).toBe(
      `https://acme.test/?aff=${made.link}&svc_click_id=ID`,
    );
    expect((await open(`${made.link}~${made.program.id + 1_000_000}`)).status).toBe(404);
  });

  it('with the number of a program in its own name comes before the same name in that program', async () => {
    const [made, other] = [await service.program({}), await service.program()];
    const own = `${made.link}~${made.program.id}`;
    await service.sql(
      'insert into links (short_link, program_id, partner_id, destination_url) values ($1, $2, $3, $4)',
      [own, other.program.id, other.partnerId, 'https://acme.test/other'],
    );
    expect(await location(own)).toBe(`https://acme.test/other?aff=${encodeURIComponent(own)}&svc_click_id=ID`);
    expect(await clicks(other)).toMatchObject([{ partner_id: other.partnerId }]);
  });

  it.each([
    'nobody-has-this',
    '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
    'a%00b',
    '%20',
    'x~1',
    '~1',
    'x~99999999999999999999',
    'constructor',
  ])('that nobody has is a page that says so, with nothing of the address in it: %s', async (shortLink) => {
    const { status, headers, text } = await open(shortLink, '?name=%3Cb%3E');
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers.location).toBeUndefined();
    expect(text).toContain('<h1>Link not found</h1>');
    expect(text).toBe((await open('nobody-has-that-either')).text);
  });

  it.each([
    [
      'is off',
      (made: TestProgram) => service.sql('update links set active = false where short_link = $1', [made.link]),
    ],
    [
      'is deleted',
      (made: TestProgram) =>
        service.sql(`update links set active = false, deleted_at = '2026-01-01' where short_link = $1`, [made.link]),
    ],
    [
      'has no partner',
      (made: TestProgram) => service.sql('update links set partner_id = null where short_link = $1', [made.link]),
    ],
    [
      'is a blocked partner’s',
      (made: TestProgram) =>
        service.sql(`update memberships set status = 'blocked' where program_id = $1`, [made.program.id]),
    ],
    [
      'is of a paused program',
      (made: TestProgram) => service.sql(`update programs set status = 'paused' where id = $1`, [made.program.id]),
    ],
  ])('that %s leads to the destination without aff, and leaves no click', async (_state, change) => {
    const made = await service.program();
    await leadTo(made, 'https://acme.test/pricing?aff=typed#top');
    await change(made);
    expect(await location(made.link, '?utm=1&aff=mallory')).toBe('https://acme.test/pricing?utm=1#top');
    expect(await service.counts(made.program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });

  it('without a program is unknown', async () => {
    const made = await service.program();
    await service.sql('update links set program_id = null where short_link = $1', [made.link]);
    expect((await open(made.link)).status).toBe(404);
  });

  it('leads elsewhere as soon as it is changed', async () => {
    const made = await service.program();
    await location(made.link);
    await leadTo(made, 'https://acme.test/new');
    await expect.poll(() => location(made.link)).toBe(`https://acme.test/new?aff=${made.link}&svc_click_id=ID`);
  });
});

describe('is redirected and leaves no click and no id:', () => {
  it.each<[string, CallOptions & { method?: string }]>([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['a prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['an older prefetch', { headers: { purpose: 'prefetch' } }],
    ['a preview', { headers: { 'x-purpose': 'preview' } }],
    ['an older Firefox', { headers: { 'x-moz': 'prefetch' } }],
    [
      'a search engine',
      { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' } },
    ],
    ['a preview of a messenger', { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } }],
    ['a program', { headers: { 'user-agent': 'curl/8.5.0' } }],
  ])('%s', async (_kind, options) => {
    const made = await service.program();
    const { status, headers } = await open(made.link, '?utm=1', options);
    expect([status, headers.location]).toEqual([302, `https://acme.test/?utm=1&aff=${made.link}`]);
    expect(headers['cache-control']).toBe('no-store');
    expect(await service.counts(made.program.id)).toMatchObject({ customers: 0, clicks: 0 });
  });
});

it('other methods are refused', async () => {
  const { link } = await service.program();
  const { status, headers } = await open(link, '', { method: 'POST' });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});
