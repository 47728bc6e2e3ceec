import { expect, it } from 'vitest';
import { createGuideSearch, type Passage } from './guide-search.ts';

const passage = (page: string, heading: string | null, text: string): Passage => ({
  href: `/${page}#${heading ?? ''}`,
  page,
  heading,
  text,
});

const search = createGuideSearch([
  passage('Payouts', null, 'Pay partners by file. A run collects what is owed.'),
  passage('Payouts', 'A run, step by step', 'Create a run, approve it and send its files.'),
  passage('Payouts', 'Failed payments', 'A payment that the bank returns is paid again with the next run.'),
  passage('Payouts', 'Who may approve', 'Owners approve a run.'),
  passage('Refunds', null, 'A refund takes its share of the commission back. Partial refunds too.'),
  passage(
    'Café codes',
    null,
    `${'Words before it. '.repeat(30)}Set SVC_BASE_URL to the address. ${'Words after it. '.repeat(30)}`,
  ),
]);
const found = (query: string) => search(query, 10).map(({ page, heading }) => heading ?? page);

it('finds words from their start, in any order, in singular or plural, without case and accents', () => {
  expect(found('refunds')).toEqual(['Refunds']);
  expect(found('REFUN')).toEqual(['Refunds']);
  expect(found('bank returns')).toEqual(['Failed payments']);
  expect(found('returns bank')).toEqual(['Failed payments']);
  expect(found('cafe')).toEqual(['Café codes']);
  expect(found('base_url')).toEqual(['Café codes']);
  expect(found('funds')).toEqual([]);
});

it('finds words of five letters or more with one typo', () => {
  for (const typo of ['refnud', 'refnd', 'refunnd', 'rafund', 'erfunds']) expect(found(typo)).toEqual(['Refunds']);
  const [result] = search('comission', 1);
  expect(result?.excerpt.find(({ isMatch }) => isMatch)?.text).toBe('commission');
  expect(found('rfnd')).toEqual([]);
  expect(found('rafnud')).toEqual([]);
  // What is there as it was typed is not taken for a typo.
  expect(found('payment')).toEqual(['Failed payments']);
});

it('puts headings before texts, and shows at most three passages of a page', () => {
  expect(found('approve')[0]).toBe('Who may approve');
  expect(found('run')).toHaveLength(3);
  expect(found('payout')[0]).toBe('Payouts');
});

it('shows passages with some of the words only if none has all', () => {
  expect(found('approve bank').toSorted()).toEqual(['A run, step by step', 'Failed payments', 'Who may approve']);
  expect(found('how do I approve a run')[0]).toBe('Who may approve');
});

it('shows the text around the first match, cut between words', () => {
  const [result] = search('base url', 1);
  const text = result?.excerpt.map((part) => part.text).join('') ?? '';
  expect(text).toMatch(/^… .*Set SVC_BASE_URL to the address\. .* …$/);
  expect(text.length).toBeLessThan(220);
  expect(result?.excerpt.filter(({ isMatch }) => isMatch).map((part) => part.text)).toEqual(['BASE', 'URL']);
});
