import { expect, it } from 'vitest';
import { countryShapes, MAP_VIEW } from '../../../country-shapes.mjs';

const shapes = countryShapes();
const parts = Object.entries(shapes).map(([code, path]) => ({ code, outlines: outlinesOf(path) }));

/** The points of each outline of a country, where they are on the map. */
function outlinesOf(path: string): { x: number; y: number }[][] {
  return [...path.matchAll(/M([^l]+)l([^z]+)z/g)].map(([, start = '', steps = '']) => {
    let at = { x: 0, y: 0 };
    return [start, ...steps.split(' ')].map((step) => {
      const [dx = 0, dy = 0] = step.split(',').map(Number);
      at = { x: at.x + dx, y: at.y + dy };
      return at;
    });
  });
}

function middleOf(code: string): { x: number; y: number } {
  const points = outlinesOf(shapes[code] ?? '').flat();
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  return { x: mean('x'), y: mean('y') };
}

it('countries have their codes, and what has no number in the standard has the one that databases give it', () => {
  const codes = Object.keys(shapes);
  expect(codes.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  expect(codes).toEqual(
    expect.arrayContaining(['AR', 'AU', 'DE', 'FR', 'GB', 'IN', 'JP', 'NO', 'RU', 'US', 'XK', 'ZA']),
  );
  expect(codes.length).toBeGreaterThan(170);
  // They would be a dot or a border of the page.
  expect(['SG', 'MT', 'AQ'].filter((code) => codes.includes(code))).toEqual([]);
});

it('every country is inside the map and in one place: none is torn apart at its edge', () => {
  for (const { code, outlines } of parts) {
    expect(outlines.length, code).toBeGreaterThan(0);
    for (const points of outlines) {
      for (const [index, { x, y }] of points.entries()) {
        const isInside =
          x >= MAP_VIEW.x && x <= MAP_VIEW.x + MAP_VIEW.width && y >= MAP_VIEW.y && y <= MAP_VIEW.y + MAP_VIEW.height;
        expect(isInside, `${code} at ${x}, ${y}`).toBe(true);
        const before = points.at(index - 1) ?? { x, y };
        expect(Math.hypot(x - before.x, y - before.y), code).toBeLessThan(40);
      }
    }
  }
});

it('countries are where people look for them', () => {
  const [germany, france, brazil, japan, russia, fiji, america] = ['DE', 'FR', 'BR', 'JP', 'RU', 'FJ', 'US'].map(
    middleOf,
  );
  const isLeft = (one: typeof germany, other: typeof germany) => (one?.x ?? 0) < (other?.x ?? 0);
  expect(isLeft(america, brazil)).toBe(true);
  expect(isLeft(brazil, france)).toBe(true);
  expect(isLeft(france, germany)).toBe(true);
  expect(isLeft(germany, russia)).toBe(true);
  expect(isLeft(russia, japan)).toBe(true);
  expect(isLeft(japan, fiji)).toBe(true);
  expect(germany?.y).toBeLessThan(brazil?.y ?? 0);
});

it('areas keep their proportions: Greenland is a quarter of Brazil', () => {
  const areaOf = (code: string) =>
    outlinesOf(shapes[code] ?? '').reduce((sum, points) => {
      const twice = points.reduce((part, { x, y }, index) => {
        const before = points.at(index - 1) ?? { x, y };
        return part + before.x * y - x * before.y;
      }, 0);
      return sum + Math.abs(twice) / 2;
    }, 0);
  // In thousands of square kilometers: 2,166, 9,834, 8,516 and 357.
  const ratio = (one: string, other: string) => areaOf(one) / areaOf(other);
  expect(ratio('GL', 'BR')).toBeCloseTo(2_166 / 8_516, 1);
  expect(ratio('US', 'BR')).toBeCloseTo(9_834 / 8_516, 1);
  expect(ratio('DE', 'BR')).toBeCloseTo(357 / 8_516, 2);
});
