import { FEED_EVENT_TYPES, type FeedEvent, type FeedEventType } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { describeEvent } from './describe-event.ts';
import { bodyFor } from './message.ts';

const decision = {
  id: 1,
  reason: 'sale_attributed',
  sentence: 'The sale was recorded and the partner earned a commission.',
};
// What must not be in a sentence.
const of17 = { partner_id: 17, partner_name: 'Jane' };
const customer = { id: 1, customer_key: 'ada@shop.test', email_masked: 'a***@shop.test', ...of17 };
const sale = {
  ...customer,
  transaction_id: 'order-77',
  customer_key: 'Ada Lovelace',
  amount_cents: 10_000,
  currency: 'USD',
};
const commission = { ...sale, kind: 'sale', commission_cents: 2_000, deducted_cents: 0, currency: 'EUR' };
const payout = {
  ...of17,
  partner_email: 'j***@partner.test',
  amount_cents: 5_000,
  currency: 'JPY',
  failure_reason: 'IBAN DE02120300000000202051 is closed',
};
const partner = { id: 17, name: 'Jane', email: 'j***@partner.test', status: 'active', group_name: 'Gold' };
const link = { short_link: 'spring', url: 'https://acme.test/?aff=spring', ...of17, active: true };

const alert = { kind: 'webhook_failing', message: 'Nothing arrives at the webhook endpoint acme.test.' };

type Case = [FeedEventType, Record<string, unknown>, string];

const cases: Case[] = [
  ['alert.opened', { alert }, 'Alert: Nothing arrives at the webhook endpoint acme.test.'],
  ['alert.closed', { alert }, 'Resolved: Nothing arrives at the webhook endpoint acme.test.'],
  ['lead.created', { customer }, 'New signup through partner 17.'],
  ['lead.created', { customer: { ...customer, partner_id: null, partner_name: null } }, 'New signup.'],
  ['lead.confirmed', { customer }, 'A signup through partner 17 was confirmed.'],
  [
    'sale.created',
    { sale, decision },
    'New sale of $100.00 through partner 17. The sale was recorded and the partner earned a commission.',
  ],
  [
    'sale.created',
    { sale: { ...sale, partner_id: null, partner_name: null, currency: 'JPY' } },
    'New sale of ¥10,000.',
  ],
  [
    'sale.refunded',
    { sale, refund: { amount_cents: 2_550, currency: 'USD' } },
    '$25.50 of a sale of $100.00 through partner 17 was refunded.',
  ],
  [
    'sale.refunded',
    { sale, refund: { amount_cents: -2_550, currency: 'USD' } },
    'A refund of $25.50 on a sale of $100.00 through partner 17 was taken back.',
  ],
  ['commission.created', { commission }, 'Partner 17 earned a commission of €20.00.'],
  ['commission.created', { commission: { ...commission, kind: 'bonus' } }, 'Partner 17 was given a bonus of €20.00.'],
  [
    'commission.created',
    { commission: { ...commission, kind: 'adjustment', commission_cents: -500 } },
    'The balance of partner 17 was adjusted by -€5.00.',
  ],
  ['commission.approved', { commission }, 'The commission of €20.00 for partner 17 was approved.'],
  ['commission.rejected', { commission }, 'The commission of €20.00 for partner 17 was rejected.'],
  [
    'commission.reversed',
    { commission: { ...commission, deducted_cents: 500 } },
    'The commission of €20.00 for partner 17 was reduced to €15.00.',
  ],
  [
    'commission.reversed',
    { commission: { ...commission, deducted_cents: 2_000 } },
    'The commission of €20.00 for partner 17 was reversed.',
  ],
  ['commission.restored', { commission }, 'The commission of €20.00 for partner 17 was restored.'],
  [
    'commission.restored',
    { commission: { ...commission, deducted_cents: 500 } },
    'The commission of €20.00 for partner 17 was raised to €15.00 again.',
  ],
  ['commission.paid', { commission }, 'The commission of €20.00 for partner 17 was paid out.'],
  ['payout.created', { payout }, 'The payout of ¥5,000 to partner 17 was created.'],
  ['payout.sent', { payout }, 'The payout of ¥5,000 to partner 17 was sent.'],
  ['payout.paid', { payout }, 'The payout of ¥5,000 to partner 17 was marked as paid.'],
  ['payout.failed', { payout }, 'The payout of ¥5,000 to partner 17 failed.'],
  ['payout.returned', { payout }, 'The payout of ¥5,000 to partner 17 came back.'],
  ['payout.cancelled', { payout }, 'The payout of ¥5,000 to partner 17 was cancelled.'],
  ['partner.applied', { partner }, 'Partner 17 applied to join the program.'],
  ['partner.joined', { partner }, 'Partner 17 joined the program.'],
  ['partner.changed', { partner, previous: { status: 'blocked' } }, 'Partner 17 is active again.'],
  [
    'partner.changed',
    { partner: { ...partner, status: 'blocked' }, previous: { status: 'active' } },
    'Partner 17 was blocked.',
  ],
  [
    'partner.changed',
    { partner: { ...partner, status: 'removed' }, previous: { status: 'active' } },
    'Partner 17 was removed from the program.',
  ],
  [
    'partner.changed',
    { partner: { ...partner, status: 'removed' }, previous: { status: 'applied' } },
    'The application of partner 17 was declined.',
  ],
  [
    'partner.changed',
    { partner: { ...partner, status: 'blocked' }, previous: { status: 'active', group_id: 1 } },
    'Partner 17 was blocked.',
  ],
  ['partner.changed', { partner, previous: { name: 'Joan' } }, 'Partner 17 was changed.'],
  ['partner.changed', { partner, previous: { group_id: 1 } }, 'Partner 17 was moved to the group Gold.'],
  ['link.created', { link }, 'New link for partner 17: spring.'],
  ['link.changed', { link, previous: { destination_url: null } }, 'The link spring of partner 17 was changed.'],
  ['link.changed', { link, previous: { active: false } }, 'The link spring of partner 17 was enabled.'],
  [
    'link.changed',
    { link: { ...link, active: false }, previous: { active: true } },
    'The link spring of partner 17 was disabled.',
  ],
  [
    'link.changed',
    { link: { ...link, deleted_at: '2026-03-10T12:00:00.000Z' } },
    'The link spring of partner 17 was deleted.',
  ],
  ['customer.assigned', { customer }, 'A customer was assigned to partner 17.'],
  [
    'credit.granted',
    { credit: { customer_id: 1, amount_cents: 1_000, currency: 'USD' } },
    'A customer was granted a credit of $10.00.',
  ],
  [
    'terms.changed',
    { terms: { version: 3, note: 'As agreed with Ada' } },
    'The commission rules of the program have changed. This is version 3.',
  ],
];

const eventOf = (type: FeedEventType, data: Record<string, unknown>): FeedEvent => ({
  id: 'evt_1',
  type,
  timestamp: '2026-03-10T12:00:00.000Z',
  program_id: 1,
  sequence: 1,
  data,
});

const slack = (event: object) => JSON.parse(bodyFor('slack', JSON.stringify(event)));
const discord = (event: object) => JSON.parse(bodyFor('discord', JSON.stringify(event)));

describe('the sentence for a channel', () => {
  it.each(cases)('%s %#', (type, data, expected) => {
    expect(slack(eventOf(type, data))).toEqual({ text: expected });
    expect(discord(eventOf(type, data))).toEqual({ content: expected, allowed_mentions: { parse: [] }, flags: 4 });
  });

  it('is written out here for every type', () => {
    expect([...new Set(cases.map(([type]) => type))].sort()).toEqual([...FEED_EVENT_TYPES].sort());
  });

  it('of a test says that nothing has happened', () => {
    const test = { ...eventOf('sale.created', {}), type: 'webhook.test', sequence: null };
    expect(slack(test).text).toBe('This is a test. Nothing has happened.');
    expect(discord(test).content).toBe('This is a test. Nothing has happened.');
  });

  it('names partners on a page only', () => {
    for (const [type, data] of cases) {
      const sentence = describeEvent('page', eventOf(type, data));
      expect(sentence).not.toContain('17');
      expect(slack(eventOf(type, data)).text.replaceAll(/partner 17/gi, 'Jane')).toBe(sentence);
    }
  });

  const moved = (group_name: string) =>
    eventOf('partner.changed', { partner: { ...partner, group_name }, previous: { group_id: 1 } });
  const ZERO = '\u200b';

  it('calls nobody and links nowhere in Slack, whatever a group is called', () => {
    const names = [
      ['<!channel>', '&lt;!channel&gt;'],
      ['<@U024BE7LH>', `&lt;@${ZERO}U024BE7LH&gt;`],
      ['<https://evil.test|Click here>', `&lt;https:${ZERO}//evil.test|Click here&gt;`],
      ['&lt;!here&gt;', '&amp;lt;!here&amp;gt;'],
      [
        '*bold* _and_ ~struck~ `code`',
        `${ZERO}*bold${ZERO}* ${ZERO}_and${ZERO}_ ${ZERO}~struck${ZERO}~ ${ZERO}\`code${ZERO}\``,
      ],
      ['two\nlines\tand\u202e more', 'two lines and more'],
      ['x'.repeat(200), 'x'.repeat(100)],
    ];
    for (const [name = '', shown] of names) {
      expect(slack(moved(name)).text).toBe(`Partner 17 was moved to the group ${shown}.`);
    }
  });

  it('calls nobody and links nowhere in Discord, whatever a group is called', () => {
    const names = [
      ['@everyone', `@${ZERO}everyone`],
      ['<@&123>', `\\<@${ZERO}&123\\>`],
      ['[Click here](https://evil.test)', `\\[Click here\\]\\(https\\:${ZERO}//evil.test\\)`],
      ['**bold** `code` ||spoiler||', '\\*\\*bold\\*\\* \\`code\\` \\|\\|spoiler\\|\\|'],
      ['# Title', '\\# Title'],
      [':smile: <#42>', '\\:smile\\: \\<\\#42\\>'],
      ['back\\slash', 'back\\\\slash'],
    ];
    for (const [name = '', shown] of names) {
      expect(discord(moved(name)).content).toBe(`Partner 17 was moved to the group ${shown}.`);
    }
  });
});
