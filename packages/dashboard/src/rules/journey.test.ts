import { expect, it } from 'vitest';
import { foldSteps } from './journey.ts';

const step = (id: number, type: string, link_id: number | null = null, page_url: string | null = null) => ({
  id,
  type,
  link_id,
  page_url,
  at: `2026-03-10T12:00:0${id}.000Z`,
});

it('folds clicks on the same link that follow each other, and nothing else', () => {
  const steps = [
    step(1, 'click', 7, '/a'),
    step(2, 'click', 7, '/a'),
    step(3, 'click', 7, '/b'),
    step(4, 'click', 8, '/a'),
    step(5, 'lead'),
    step(6, 'click', 8, '/a'),
    step(7, 'sale'),
    step(8, 'sale'),
  ];
  const folded = foldSteps(steps);
  expect(folded.map(({ step: { id }, count }) => [id, count])).toEqual([
    [1, 3],
    [4, 1],
    [5, 1],
    [6, 1],
    [7, 1],
    [8, 1],
  ]);
  expect(folded[0]).toMatchObject({ step: { page_url: null }, until: steps[2]?.at });
  expect(folded[1]).toMatchObject({ step: { page_url: '/a' } });
});
