/** A color as red, green and blue, each from 0 to 255. */
export type Rgb = [red: number, green: number, blue: number];

/** Reads a color like `#1a7f5a`. */
export function parseColor(color: string): Rgb {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)) as Rgb;
}

/** Relative luminance as WCAG defines it, from 0 (black) to 1 (white). */
export function luminanceOf(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
