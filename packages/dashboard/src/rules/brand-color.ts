import { luminanceOf, parseColor, type Rgb } from '@svc/contract';

/** The colors of the pages that text in a brand’s color stands on: cards, and the softest tint of the color itself. */
const CARDS = { light: '#ffffff', dark: '#16191f' };
/** The text on the accent: what is readable on a light card is readable under white, and the reverse. */
const ON_ACCENT = { light: '#ffffff', dark: '#0d1020' };

/** The contrast that WCAG asks for between text and its background, and the one for people who ask for more. */
const READABLE = 4.5;
const VERY_READABLE = 7;

export type BrandColors = {
  /** For buttons, links and what is selected. */
  accent: string;
  /** For buttons under the pointer. */
  accentStrong: string;
  /** For text on the accent. */
  onAccent: string;
  /** For the background of what is selected. */
  accentSoft: string;
};

/**
 * The colors that a brand’s color becomes in a theme. It is darkened or lightened as far as it takes to be readable as text on
 * cards and on its own tint, which makes the text on it readable too.
 */
export function brandColors(color: string, theme: 'light' | 'dark', { moreContrast = false } = {}): BrandColors {
  const card = parseColor(CARDS[theme]);
  const towards = parseColor(theme === 'light' ? '#000000' : '#ffffff');
  const target = moreContrast ? VERY_READABLE : READABLE;
  let accent = parseColor(color);
  const softOf = (shade: Rgb) => mix(card, shade, theme === 'light' ? 0.1 : 0.2);
  for (let step = 0; step < 100 && contrast(accent, softOf(accent)) < target; step += 1) {
    accent = mix(accent, towards, 0.04);
  }
  return {
    accent: format(accent),
    accentStrong: format(mix(accent, towards, 0.15)),
    onAccent: ON_ACCENT[theme],
    accentSoft: format(softOf(accent)),
  };
}

/** The contrast of two colors, from 1 (the same) to 21 (black and white). */
export function contrastOf(one: string, other: string): number {
  return contrast(parseColor(one), parseColor(other));
}

/** Whether the color can be used as it is in both themes, or is adjusted in one of them. */
export function isAdjusted(color: string): boolean {
  return (['light', 'dark'] as const).some((theme) => brandColors(color, theme).accent !== color.toLowerCase());
}

function contrast(one: Rgb, other: Rgb): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function mix(color: Rgb, other: Rgb, share: number): Rgb {
  return color.map((value, index) => Math.round(value + ((other[index] ?? 0) - value) * share)) as Rgb;
}

function format(color: Rgb): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
