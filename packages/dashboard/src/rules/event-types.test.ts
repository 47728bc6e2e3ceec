import { expect, it } from 'vitest';
import { describeTypes, groupEventTypes } from './event-types.ts';

it('types are grouped by what they are about, in the words of the pages', () => {
  const types = ['lead.created', 'sale.created', 'lead.confirmed', 'terms.changed'];
  expect(groupEventTypes(types)).toEqual([
    { title: 'Signups', types: ['lead.created', 'lead.confirmed'] },
    { title: 'Sales', types: ['sale.created'] },
    { title: 'Commission rules', types: ['terms.changed'] },
  ]);
});

it.each([
  [['*'], 'All events'],
  [['sale.created'], 'sale.created'],
  [['sale.created', 'sale.refunded'], 'sale.created and sale.refunded'],
  [['sale.created', 'sale.refunded', 'link.created'], 'sale.created and 2 more'],
])('%j is described as “%s”', (types, words) => {
  expect(describeTypes(types)).toBe(words);
});
