const SHOWN = 10;

/** Lines under a title, the first ten of them. Null if there are none. */
export function sectionOf(title: string, lines: string[]): string | null {
  if (lines.length === 0) return null;
  const more = lines.length > SHOWN ? [`… and ${lines.length - SHOWN} more`] : [];
  return [`${title}: ${lines.length}`, ...lines.slice(0, SHOWN), ...more].join('\n  ');
}
