import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fakeDub } from '../../../test/fake-tools/dub.ts';
import type { FakeTool } from '../../../test/fake-tools/fake-tool.ts';
import * as firstpromoter from '../../../test/fake-tools/firstpromoter.ts';
import * as firstpromoterV1 from '../../../test/fake-tools/firstpromoter-v1.ts';
import { fakePartnerStack } from '../../../test/fake-tools/partnerstack.ts';
import * as rewardful from '../../../test/fake-tools/rewardful.ts';
import { fakeTolt } from '../../../test/fake-tools/tolt.ts';
import type { Output } from '../../output.ts';
import { readLists, rowsOf, unreadableRows } from '../read-tool.ts';
import type { Reading } from '../reading.ts';
import type { ToolName } from '../sources.ts';
import { Spool } from '../spool.ts';
import { createToolClient } from '../tool-client.ts';
import { knownSale } from '../unit.ts';
import { TOOLS } from './tools.ts';

const now = new Date('2024-06-01T00:00:00Z');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-tools-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const silent = { note: () => undefined, warn: () => undefined } as unknown as Output;
let files = 0;

/** Reads a fake tool over HTTP, like the command does. */
async function read(name: ToolName, fake: FakeTool, secrets: string[], sale?: string): Promise<Reading> {
  await fake.open();
  onTestFinished(() => fake.close());
  const tool = TOOLS[name];
  files += 1;
  const spool = await Spool.open(join(folder, `${files}.jsonl`), name, now);
  const access = { ...tool, apiUrl: fake.url, headers: tool.headers(secrets) };
  const client = createToolClient(access, { out: silent, signal: new AbortController().signal });
  await readLists(tool, client, spool, () => undefined);
  const reading = tool.toReading(rowsOf(spool), { currency: 'USD', knownSale: knownSale(sale, 'USD'), now });
  reading.leftOut.push(...unreadableRows(spool));
  return reading;
}

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

describe('Rewardful', () => {
  const data = (): rewardful.RewardfulData => ({
    affiliates: [
      rewardful.affiliate('jamie', 'jamie@example.com', {
        coupon: { id: 'x', external_id: 'promo_1', token: 'JAMIE' },
      }),
      rewardful.affiliate('off', 'off@example.com', { state: 'disabled' }),
      rewardful.affiliate('odd', 'odd@example.com', { state: 'suspicious' }),
    ],
    referrals: [
      rewardful.referral('r1', 'jamie'),
      rewardful.referral('r2', 'jamie', { conversion_state: 'visitor' }),
      rewardful.referral('r3', 'jamie', { conversion_state: 'lead', stripe_customer_id: null, customer: null }),
      rewardful.referral('r4', 'jamie', {
        conversion_state: 'lead',
        expires_at: '2030-01-01T00:00:00Z',
        customer: null,
      }),
      rewardful.referral('r5', 'jamie', { deactivated_at: '2021-01-01T00:00:00Z' }),
      rewardful.referral('r6', null),
    ],
    commissions: [
      rewardful.commission('c1', 'jamie', 3000, 'due'),
      rewardful.commission('c2', 'jamie', 100, 'pending'),
      rewardful.commission('c3', 'jamie', 900, 'paid', { currency: 'jpy' }),
      rewardful.commission('c4', 'jamie', 500, 'voided'),
      rewardful.commission('c5', 'jamie', 12.5, 'due'),
    ],
  });

  it('gives partners, links, coupons, customers and what they earned; what is no money or no customer is said', async () => {
    const reading = await read('rewardful', rewardful.fakeRewardful(data()), [rewardful.REWARDFUL_SECRET]);
    expect(reading).toEqual({
      partners: [{ id: 'jamie', email: 'jamie@example.com', name: 'Jamie Bond' }],
      links: [{ partnerId: 'jamie', parameter: 'via', code: 'jamie', address: 'https://www.acme.test/?via=jamie' }],
      coupons: [{ partnerId: 'jamie', code: 'JAMIE' }],
      customers: [
        {
          partnerId: 'jamie',
          id: 'cus_r1',
          processorId: 'cus_r1',
          email: 'r1@customer.test',
          firstSeenAt: '2020-08-20T16:13:12.109Z',
        },
        {
          partnerId: 'jamie',
          id: 'cus_r4',
          processorId: 'cus_r4',
          email: undefined,
          firstSeenAt: '2020-08-20T16:13:12.109Z',
        },
        {
          partnerId: null,
          id: 'cus_r6',
          processorId: 'cus_r6',
          email: 'r6@customer.test',
          firstSeenAt: '2020-08-20T16:13:12.109Z',
        },
      ],
      earnings: [
        { partnerId: 'jamie', id: 'c1', state: 'approved', currency: 'USD', cents: 3000 },
        { partnerId: 'jamie', id: 'c2', state: 'pending', currency: 'USD', cents: 100 },
        { partnerId: 'jamie', id: 'c3', state: 'paid', currency: 'JPY', cents: 900 },
      ],
      leftOut: [
        { kind: 'partner', id: 'off@example.com', reason: 'the affiliate is disabled' },
        { kind: 'partner', id: 'odd@example.com', reason: 'the affiliate is suspicious' },
        { kind: 'customer', id: 'r3', reason: 'the referral has expired' },
        { kind: 'customer', id: 'r5', reason: 'the referral was deactivated' },
        { kind: 'commission', id: 'c4', reason: 'it is voided, which is not money' },
        { kind: 'commission', id: 'c5', reason: '"12.5" is not a whole number of the smallest unit of USD' },
      ],
    });
  });

  it('is read page by page, and a row that cannot be read is named by its number', async () => {
    const affiliates = many(250, (index) => rewardful.affiliate(`a${index}`, `a${index}@example.com`));
    affiliates[120] = { ...rewardful.affiliate('broken', 'x'), email: null } as never;
    const fake = rewardful.fakeRewardful({ affiliates, referrals: [], commissions: [] });
    const { partners, leftOut } = await read('rewardful', fake, [rewardful.REWARDFUL_SECRET]);
    expect(partners).toHaveLength(249);
    expect(leftOut).toEqual([{ kind: 'row', id: 'affiliates 121', reason: expect.stringContaining('email: ') }]);
    expect(fake.asked.filter((path) => path.startsWith('/affiliates'))).toHaveLength(3);
  });

  it('a row that moved to the next page while it was read counts once, as it was last', async () => {
    const commissions = many(150, (index) => rewardful.commission(`c${index}`, 'jamie', 1, 'pending'));
    const fake = rewardful.fakeRewardful({
      affiliates: [rewardful.affiliate('jamie', 'j@x.test')],
      referrals: [],
      commissions,
    });
    fake.beforeAnswer = () => {
      // After the first page of commissions, a new one comes first, and one is approved meanwhile.
      if (fake.asked.at(-1)?.includes('page=2')) {
        commissions.unshift(rewardful.commission('new', 'jamie', 1, 'pending'));
        commissions[100] = { ...commissions[100], state: 'due' } as never;
      }
    };
    const { earnings } = await read('rewardful', fake, [rewardful.REWARDFUL_SECRET]);
    expect(earnings).toHaveLength(150);
    expect(earnings.filter(({ state }) => state === 'approved').map(({ id }) => id)).toEqual(['c99']);
  });
});

describe('FirstPromoter', () => {
  const data = (more: Partial<firstpromoter.FirstPromoterData> = {}): firstpromoter.FirstPromoterData => ({
    promoters: [
      firstpromoter.promoter(1, 'john@example.com'),
      firstpromoter.promoter(2, 'pending@example.com', {
        promoter_campaigns: [{ id: 20, state: 'pending', ref_token: 'p' }],
      }),
    ],
    links: { 1: [{ id: 5, url: 'https://acme.test/pricing?fpr=john-pro', ref_token: 'john-pro' }] },
    promoCodes: [{ id: 7, code: 'JOHN20', promoter_campaign_id: 10 }],
    referrals: [
      firstpromoter.referral(1, 1),
      firstpromoter.referral(2, 1, { uid: null, metadata: { stripe_customer_id: 'cus_2' } }),
    ],
    commissions: [
      firstpromoter.commission(1, 1, 9.8),
      firstpromoter.commission(2, 1, 10, { is_paid: true }),
      firstpromoter.commission(3, 1, 10, { status: 'pending' }),
      firstpromoter.commission(4, 1, 10, { status: 'denied' }),
      firstpromoter.commission(5, 1, 500, { unit: 'credits' }),
      firstpromoter.commission(6, 1, 1.234),
    ],
    ...more,
  });
  const secrets = ['fp-key', 'fp-account'];

  it('gives the links of promoters and campaigns, and takes the unit from what has decimals', async () => {
    const reading = await read('firstpromoter', firstpromoter.fakeFirstPromoter(data()), secrets);
    expect(reading.partners).toEqual([{ id: '1', email: 'john@example.com', name: 'John Doe' }]);
    expect(reading.links.map(({ parameter, code, address }) => [parameter, code, address])).toEqual([
      ['fpr', 'john1', 'https://acme.test/?fpr=john1'],
      ['fpr', 'john1', undefined],
      ['fpr', 'john-pro', 'https://acme.test/pricing?fpr=john-pro'],
    ]);
    expect(reading.coupons).toEqual([{ partnerId: '1', code: 'JOHN20' }]);
    expect(reading.customers.map(({ id, processorId }) => [id, processorId])).toEqual([
      ['user-1', undefined],
      ['2', 'cus_2'],
    ]);
    expect(reading.earnings.map(({ id, state, cents }) => [id, state, cents])).toEqual([
      ['1', 'approved', 980],
      ['2', 'paid', 1000],
      ['3', 'pending', 1000],
    ]);
    expect(reading.leftOut.map(({ id, reason }) => [id, reason])).toEqual([
      ['pending@example.com', 'the promoter is pending'],
      ['4', 'it is denied, which is not money'],
      ['5', 'it is in credits, which is not money'],
      ['6', '"1.234" has more decimals than USD, which has 2'],
    ]);
  });

  it('whole amounts need a known sale, and one that does not agree is refused', async () => {
    const cents = () => firstpromoter.fakeFirstPromoter(data({ commissions: [firstpromoter.commission(1, 1, 980)] }));
    await expect(read('firstpromoter', cents(), secrets)).rejects.toThrow(
      'does not say whether its amounts are in cents',
    );
    const { earnings } = await read('firstpromoter', cents(), secrets, 'ch_1=49.00');
    expect(earnings.map((each) => each.cents)).toEqual([980]);
    const units = await read('firstpromoter', cents(), secrets, 'ch_1=4900.00');
    expect(units.earnings.map((each) => each.cents)).toEqual([98_000]);
    await expect(read('firstpromoter', cents(), secrets, 'ch_1=50.00')).rejects.toThrow(
      'neither in cents nor in whole units',
    );
  });

  it('an account in another currency than the one that is assumed is refused', async () => {
    const converted = firstpromoter.commission(1, 1, 9.8, { original_sale_amount: 60, original_sale_currency: 'usd' });
    const fake = firstpromoter.fakeFirstPromoter(data({ commissions: [converted] }));
    await expect(read('firstpromoter', fake, secrets)).rejects.toThrow('so its account is in another currency');
  });
});

describe('FirstPromoter, the first version of its API', () => {
  const data = (): firstpromoterV1.FirstPromoterV1Data => ({
    promoters: [
      firstpromoterV1.promoter(1, 'john@example.com', { current: 480, paid: 2000 }),
      firstpromoterV1.promoter(2, 'late@example.com', {}, { status: 'pending' }),
      firstpromoterV1.promoter(3, 'odd@example.com', { current: 700 }),
      ...many(60, (index) => firstpromoterV1.promoter(100 + index, `p${index}@example.com`, {})),
    ],
    leads: [firstpromoterV1.lead(1, 1, { uid: 'cus_1' }), firstpromoterV1.lead(2, 1, { uid: null, created_at: null })],
    rewards: [
      firstpromoterV1.reward(1, 1, 2500),
      firstpromoterV1.reward(2, 1, -20),
      firstpromoterV1.reward(3, 1, 1000, { status: 'pending' }),
      firstpromoterV1.reward(4, 1, 1000, { status: 'denied' }),
      firstpromoterV1.reward(5, 1, 500, { unit: 'points' }),
      firstpromoterV1.reward(6, 3, 600),
      firstpromoterV1.reward(7, 2, 100),
      firstpromoterV1.reward(8, 1, 9.5),
    ],
  });

  it('gives promoters of all pages with their links and codes, and what is due to each after what was paid', async () => {
    const fake = firstpromoterV1.fakeFirstPromoterV1(data());
    const reading = await read('firstpromoter-v1', fake, ['fp-key']);
    expect(reading.partners).toHaveLength(62);
    expect(reading.partners[0]).toEqual({ id: '1', email: 'john@example.com', name: 'John Doe' });
    expect(reading.links.slice(0, 2)).toEqual([
      { partnerId: '1', parameter: 'fpr', code: 'john1', address: 'https://acme.test?fpr=john1' },
      { partnerId: '1', parameter: 'fpr', code: 'john1' },
    ]);
    expect(reading.coupons[0]).toEqual({ partnerId: '1', code: 'JOHN1' });
    expect(reading.customers).toEqual([
      {
        partnerId: '1',
        id: 'cus_1',
        processorId: 'cus_1',
        email: 'lead1@customer.test',
        firstSeenAt: '2024-09-12T00:00:00.000Z',
      },
      { partnerId: '1', id: '2', email: 'lead2@customer.test', firstSeenAt: '2024-10-01T00:00:00.000Z' },
    ]);
    expect(reading.earnings.map(({ partnerId, state, cents }) => [partnerId, state, cents])).toEqual([
      ['2', 'approved', 100],
      ['1', 'pending', 1000],
      ['1', 'approved', 480],
      ['1', 'paid', 2000],
    ]);
    expect(reading.leftOut.map(({ id, reason }) => [id, reason])).toEqual([
      ['late@example.com', 'the promoter is pending'],
      ['4', 'it is denied, which is not money'],
      ['5', 'it is in points, which is not money'],
      ['8', '"9.5" is not a whole number of the smallest unit of USD'],
      ['odd@example.com', 'their balance is not what was approved less what was paid: settle it in FirstPromoter'],
    ]);
  });

  it('a known sale that is not in cents is refused, and so is another key', async () => {
    const of = (rewards: object[]) => firstpromoterV1.fakeFirstPromoterV1({ ...data(), rewards });
    await expect(
      read('firstpromoter-v1', of([firstpromoterV1.reward(1, 1, 980)]), ['fp-key'], 'ch_1=50.00'),
    ).rejects.toThrow('neither in cents nor in whole units');
    await expect(read('firstpromoter-v1', of([]), ['other'])).rejects.toThrow(
      'refused the key in FIRSTPROMOTER_API_KEY',
    );
  });
});

it('Tolt sends amounts as strings; a refund is negative, and rejected and refunded ones are no money', async () => {
  const commission = (id: string, amount: string | null, status: string, more: object = {}) => ({
    id,
    amount,
    revenue: '4900',
    currency: 'usd',
    status,
    type: 'sale',
    partner_id: 'part_1',
    ...more,
  });
  const fake = fakeTolt({
    partners: [
      { id: 'part_1', email: 'sam@example.com', first_name: 'Sam', last_name: 'Rivera', status: 'active' },
      { id: 'part_2', email: 'no@example.com', first_name: 'No', last_name: '', status: 'suspended' },
    ] as never,
    links: [{ id: 'lnk_1', param: 'ref', value: 'sam', partner_id: 'part_1' }] as never,
    'promotion-codes': [{ id: 'prc_1', code: 'SUMMER2024', partner_id: 'part_1' }] as never,
    customers: many(120, (index) => ({
      id: `cust_${index}`,
      customer_id: `cus_${index}`,
      email: null,
      status: 'active',
      created_at: '2025-01-15T14:30:00.000Z',
      partner_id: 'part_1',
    })),
    commissions: [
      commission('1', '980', 'approved'),
      commission('2', '-180', 'approved', { type: 'refund' }),
      commission('3', '100', 'rejected'),
      commission('4', '100', 'refunded'),
      commission('5', '9.80', 'paid'),
      commission('6', null, 'pending'),
    ],
  });
  const reading = await read('tolt', fake, ['tolt-key']);
  expect(reading.partners).toEqual([{ id: 'part_1', email: 'sam@example.com', name: 'Sam Rivera' }]);
  expect(reading.links).toEqual([{ partnerId: 'part_1', parameter: 'ref', code: 'sam', address: undefined }]);
  expect(reading.coupons).toEqual([{ partnerId: 'part_1', code: 'SUMMER2024' }]);
  expect(reading.customers).toHaveLength(120);
  expect(reading.customers[119]).toMatchObject({ id: 'cus_119', processorId: 'cus_119' });
  expect(reading.earnings.map(({ id, state, cents }) => [id, state, cents])).toEqual([
    ['1', 'approved', 980],
    ['2', 'approved', -180],
  ]);
  expect(reading.leftOut.map(({ id, reason }) => [id, reason])).toEqual([
    ['no@example.com', 'the partner is suspended'],
    ['3', 'it is rejected, which is not money'],
    ['4', 'it is refunded, which is not money'],
    ['5', '"9.80" is not a whole number of the smallest unit of USD'],
    ['6', '"" is not an amount'],
  ]);
});

it('PartnerStack gives partnerships, the links of each, customers and rewards', async () => {
  const reward = (key: string, amount: number, status: string) => ({
    key,
    amount,
    amount_usd: amount,
    currency: 'USD',
    reward_status: status,
    decline_reason: null,
    partnership: { key: 'part1', email: 'pat@example.com' },
  });
  const partnerships = [
    {
      key: 'part1',
      partner_key: 'pat',
      email: 'pat@example.com',
      first_name: 'Pat',
      last_name: 'Lee',
      approved_status: 'approved',
    },
    {
      key: 'part2',
      partner_key: 'no',
      email: 'no@example.com',
      first_name: 'No',
      last_name: null,
      approved_status: 'declined',
    },
  ];
  const customer = { name: 'C', email: 'c@x.test', created_at: 1_600_000_000_000, partnership_key: 'part1' };
  const fake = fakePartnerStack({
    partnerships,
    links: {
      part1: [
        { key: 'pat-blog', dest: 'https://acme.test/blog', url: 'https://acme.partnerlinks.io/pat-blog' } as never,
      ],
    },
    customers: [
      { key: 'k1', customer_key: 'user-1', provider_key: 'cus_1', test: false, ...customer },
      { key: 'k2', customer_key: null, provider_key: null, test: true, ...customer },
      { key: 'k3', customer_key: 'user-3', provider_key: null, test: false, ...customer, created_at: 1e300 },
    ],
    rewards: [
      reward('1', 500, 'hold'),
      reward('2', 600, 'approved'),
      reward('3', 700, 'paid'),
      reward('4', 800, 'declined'),
    ],
  });
  const reading = await read('partnerstack', fake, ['ps-public', 'ps-secret']);
  expect(reading.partners).toEqual([{ id: 'part1', email: 'pat@example.com', name: 'Pat Lee' }]);
  expect(reading.links.map(({ parameter, code, destination }) => [parameter, code, destination])).toEqual([
    ['ps_partner_key', 'pat', undefined],
    ['ps_partner_key', 'pat-blog', 'https://acme.test/blog'],
  ]);
  expect(reading.customers).toEqual([
    {
      partnerId: 'part1',
      id: 'user-1',
      processorId: 'cus_1',
      email: 'c@x.test',
      firstSeenAt: '2020-09-13T12:26:40.000Z',
    },
    { partnerId: 'part1', id: 'user-3', email: 'c@x.test' },
  ]);
  expect(reading.earnings.map(({ id, state, cents }) => [id, state, cents])).toEqual([
    ['1', 'pending', 500],
    ['2', 'approved', 600],
    ['3', 'paid', 700],
  ]);
  expect(reading.leftOut.map(({ id }) => id)).toEqual(['no@example.com', 'k2', '4']);
});

it('Dub keeps partners without leads; duplicates, fraud, cancelled and refunded commissions are no money', async () => {
  const statuses = ['pending', 'hold', 'processed', 'paid', 'refunded', 'duplicate', 'fraud', 'canceled'];
  const fake = fakeDub({
    partners: many(101, (index) => ({
      id: `pn_${index}`,
      name: `Partner ${index}`,
      email: `p${index}@example.com`,
      status: index === 0 ? 'banned' : 'approved',
      links: [
        {
          id: 'l',
          domain: 'go.acme.test',
          key: `p${index}`,
          shortLink: `https://go.acme.test/p${index}`,
          url: 'https://acme.test',
        },
      ],
    })),
    customers: [
      {
        id: 'cus_x',
        externalId: 'user-1',
        stripeCustomerId: 'cus_1',
        email: null,
        createdAt: '2025-07-16T10:48:01.739Z',
        partner: { id: 'pn_1' },
      } as never,
      { id: 'cus_y', externalId: 'user-2', email: null, createdAt: '2025-07-16T10:48:01.739Z', partner: null } as never,
    ],
    commissions: statuses.map((status, index) => ({
      id: `cm_${index}`,
      type: 'sale',
      amount: 50_000,
      earnings: 10 ** index,
      currency: 'usd',
      status,
      partner: { id: 'pn_1' },
    })),
  });
  const reading = await read('dub', fake, ['dub_key']);
  expect(reading.partners).toHaveLength(100);
  expect(reading.links[0]).toEqual({
    partnerId: 'pn_1',
    parameter: 'via',
    code: 'p1',
    address: 'https://go.acme.test/p1',
    destination: 'https://acme.test',
  });
  expect(reading.customers.map(({ id, partnerId, processorId }) => [id, partnerId, processorId])).toEqual([
    ['user-1', 'pn_1', 'cus_1'],
    ['user-2', null, undefined],
  ]);
  expect(reading.earnings.map(({ state, cents }) => [state, cents])).toEqual([
    ['pending', 1],
    ['pending', 10],
    ['approved', 100],
    ['paid', 1000],
  ]);
  expect(reading.leftOut.filter(({ kind }) => kind === 'commission').map(({ reason }) => reason)).toEqual([
    'it is refunded, which is not money',
    'it is duplicate, which is not money',
    'it is fraud, which is not money',
    'it is canceled, which is not money',
  ]);
});
