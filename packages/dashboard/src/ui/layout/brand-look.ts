import { useEffect } from 'react';
import { brandColors } from '../../rules/brand-color.ts';

/** The tokens that a brand’s color replaces. */
const TOKENS = {
  accent: '--color-accent',
  accentStrong: '--color-accent-strong',
  onAccent: '--color-on-accent',
  accentSoft: '--color-accent-soft',
} as const;

/** Shows the page in the brand’s color while the component is mounted. Windows’ own high-contrast colors stay. */
export function useBrandColor(color: string | null | undefined): void {
  useEffect(() => {
    if (!color || window.matchMedia('(forced-colors: active)').matches) return;
    const { style } = document.documentElement;
    const moreContrast = window.matchMedia('(prefers-contrast: more)').matches;
    const light = brandColors(color, 'light', { moreContrast });
    const dark = brandColors(color, 'dark', { moreContrast });
    const names = Object.keys(TOKENS) as (keyof typeof TOKENS)[];
    for (const name of names) style.setProperty(TOKENS[name], `light-dark(${light[name]}, ${dark[name]})`);
    return () => {
      for (const name of names) style.removeProperty(TOKENS[name]);
    };
  }, [color]);
}
