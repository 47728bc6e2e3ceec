import { expect, it } from 'vitest';
import { describeFile, linkFor, moved, withLink } from './creative.ts';

it('puts the link of the partner wherever a text has the placeholder', () => {
  expect(withLink('Try Acme: {link} ({link})', 'https://acme.test/?aff=jane')).toBe(
    'Try Acme: https://acme.test/?aff=jane (https://acme.test/?aff=jane)',
  );
  // `$&` and the like mean something in replacements.
  expect(withLink('{link}', 'https://acme.test/?q=$&')).toBe('https://acme.test/?q=$&');
});

it('gives pages of the site the code of the partner, and leaves others as they are', () => {
  const partner = { domain: 'acme.test', shortLink: 'jane' };
  expect(linkFor('https://www.acme.test/pricing?a=1#b', partner)).toEqual({
    url: 'https://www.acme.test/pricing?a=1&aff=jane#b',
    isTracked: true,
  });
  const elsewhere = 'https://drive.example/press-kit';
  expect(linkFor(elsewhere, partner)).toEqual({ url: elsewhere, isTracked: false });
});

it('describes files in a few words', () => {
  const image = { media_type: 'image/png', size_bytes: 84_211, width: 1200, height: 628 };
  expect(describeFile(image)).toBe('PNG, 1200 × 628, 84 KB');
  const paper = { media_type: 'application/pdf', size_bytes: 2_340_000, width: null, height: null };
  expect(describeFile(paper)).toBe('PDF, 2.3 MB');
});

it('moves one id by one place, within the list', () => {
  expect(moved([1, 2, 3], 2, -1)).toEqual([2, 1, 3]);
  expect(moved([1, 2, 3], 2, 1)).toEqual([1, 3, 2]);
  expect(moved([1, 2, 3], 1, -1)).toEqual([1, 2, 3]);
  expect(moved([1, 2, 3], 3, 1)).toEqual([1, 2, 3]);
});
