import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AVATAR_COLORS, colorOf, initialsOf } from './avatar.ts';

describe('an avatar', () => {
  it.each([
    ['Jane Miller', 'JM'],
    ['Jane', 'J'],
    ['Anna Maria de Souza', 'AS'],
    ['ślązak łukasz', 'ŚŁ'],
    ['山田 太郎', '山太'],
    ['  “The” Coffee Blog ', 'CB'],
    ['jane.miller@example.com', 'JC'],
    ['!!!', '?'],
    ['', '?'],
  ])('shows for %s the letters %s', (name, letters) => {
    expect(initialsOf(name)).toBe(letters);
  });

  it('has the same color for the same name, and several for several names', () => {
    expect(colorOf('Jane Miller')).toBe(colorOf('Jane Miller'));
    const names = Array.from({ length: 60 }, (_, index) => `Partner ${index}`);
    expect(new Set(names.map(colorOf)).size).toBe(Object.keys(AVATAR_COLORS).length);
  });
});

describe('the tokens', () => {
  const css = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
  const colors = [...Object.keys(AVATAR_COLORS), 'good', 'warn', 'bad', 'accent'];
  it.each(colors)('give text in %s on its soft background a contrast of at least 4.5, light and dark', (name) => {
    const [text, background] = [tokenOf(css, name), tokenOf(css, `${name}-soft`)];
    for (const scheme of [0, 1]) {
      expect(contrast(text[scheme]!, background[scheme]!)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** The light and the dark value of a color. */
function tokenOf(css: string, name: string): string[] {
  const [, light = '', dark = ''] = new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
  return [light, dark];
}

/** The contrast of two colors as WCAG defines it. */
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
