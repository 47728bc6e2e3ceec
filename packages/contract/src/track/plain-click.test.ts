import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { trackClick } from './click.ts';
import { plainClick } from './plain-click.ts';

const FIELDS = Object.keys(trackClick.body.shape);
const sent = {
  affiliate_url: 'https://acme.test/pricing?aff=jane',
  page_title: 'Pricing',
  session_id: 's_1',
  existing_click_id: 'cust_1_1760000000000',
  program_id: 7,
};

describe('plainClick', () => {
  it('parses what trackers send', () => {
    expect(plainClick(sent)).toEqual({ ...sent, affiliate_url: { url: sent.affiliate_url, aff: 'jane' } });
  });

  it.each([null, {}, [7], true, 0, -7, 7.5, '7x', ''])(
    'ignores a program_id that names no program: %j',
    (program_id) => {
      expect(plainClick({ ...sent, program_id })).toEqual({ ...plainClick(sent), program_id: undefined });
    },
  );

  it('ignores fields that the route does not know', () => {
    expect(plainClick({ ...sent, debug_mode: true, constructor: 'x' })).toEqual(plainClick(sent));
  });

  it.each([
    ['a missing affiliate_url', { page_title: 'Pricing' }],
    ['an affiliate_url without aff', { affiliate_url: 'https://acme.test/' }],
    ['an affiliate_url that is not a URL', { affiliate_url: 'acme.test/?aff=jane' }],
    ['an empty field', { ...sent, session_id: '' }],
    ['null', { ...sent, page_title: null }],
    ['a number', { ...sent, page_title: 7 }],
    ['a field that is too long', { ...sent, session_id: 'x'.repeat(256) }],
    ['a NUL', { ...sent, page_title: 'a\0' }],
    ['half a surrogate pair', { ...sent, page_title: '\ud800' }],
    ['additional_data', { ...sent, additional_data: {} }],
  ])('leaves %s to the schema', (_case, fields) => {
    expect(plainClick(fields)).toBeUndefined();
  });

  it('agrees with the schema on everything it parses', () => {
    const url = fc.oneof(
      {
        arbitrary: fc.webUrl({ withQueryParameters: true }).map((page) => `${page.split('#')[0]}&aff=jane`),
        weight: 2,
      },
      { arbitrary: fc.constant(sent.affiliate_url), weight: 2 },
      { arbitrary: fc.string(), weight: 1 },
    );
    const text = fc.oneof(
      { arbitrary: fc.string({ minLength: 1, maxLength: 8 }), weight: 8 },
      { arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }), weight: 2 },
      { arbitrary: fc.constantFrom('x'.repeat(1_025), null), weight: 1 },
    );
    const others = fc.dictionary(fc.constantFrom(...FIELDS, 'unknown'), text, { maxKeys: 4 });
    let parsed = 0;
    fc.assert(
      fc.property(url, others, (affiliate_url, fields) => {
        const body = { ...fields, affiliate_url };
        const plain = plainClick(body);
        if (plain === undefined) return;
        parsed += 1;
        expect(trackClick.body.parse(body)).toEqual(plain);
      }),
      { numRuns: 1_000 },
    );
    expect(parsed).toBeGreaterThan(100);
  });
});
