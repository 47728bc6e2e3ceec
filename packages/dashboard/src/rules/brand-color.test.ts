import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandColors, contrastOf, isAdjusted } from './brand-color.ts';

const CARDS = { light: '#ffffff', dark: '#16191f' } as const;
const anyColor = fc
  .tuple(...Array.from({ length: 3 }, () => fc.integer({ min: 0, max: 255 })))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);

describe('a brand’s color', () => {
  it.each(['light', 'dark'] as const)('can be read in the %s theme, whatever it is', (theme) => {
    fc.assert(
      fc.property(anyColor, fc.boolean(), (color, moreContrast) => {
        const { accent, accentStrong, onAccent, accentSoft } = brandColors(color, theme, { moreContrast });
        expect(contrastOf(accent, CARDS[theme])).toBeGreaterThanOrEqual(moreContrast ? 7 : 4.5);
        expect(contrastOf(accent, accentSoft)).toBeGreaterThanOrEqual(moreContrast ? 7 : 4.5);
        expect(contrastOf(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(onAccent, accentStrong)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('stays as it is where it can be read', () => {
    expect(brandColors('#1a5fb4', 'light').accent).toBe('#1a5fb4');
    expect(isAdjusted('#1a5fb4')).toBe(true);
  });

  it('differs from white by the contrast that WCAG says', () => {
    expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21);
    expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.54, 2);
  });
});
