export type Shade = 0 | 1 | 2 | 3 | 4;

/** How strongly a value is shaded beside the largest one. What is zero or less is not. */
export function shadeOf(value: number, largest: number): Shade {
  if (value <= 0 || largest <= 0) return 0;
  return Math.min(4, Math.ceil((value / largest) * 4)) as Shade;
}

/** Up to which whole number each shade goes. Shades that no number has are left out. */
export function shadeLimits(largest: number): { shade: Shade; upTo: number }[] {
  const limits = ([1, 2, 3, 4] as const).map((shade) => ({ shade, upTo: Math.floor((largest * shade) / 4) }));
  return limits.filter(({ upTo }, index) => upTo > (limits[index - 1]?.upTo ?? 0));
}
