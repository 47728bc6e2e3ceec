import { LINK_PLACEHOLDER } from '@svc/contract';
import { linkTo } from './partner-link.ts';

/** The text with the partner’s link wherever it belongs. */
export function withLink(text: string, link: string): string {
  return text.replaceAll(LINK_PLACEHOLDER, () => link);
}

/** What a partner copies of a page: with their code if it is one of the brand’s site, which credits its visitors. */
export function linkFor(
  page: string,
  partner: { domain: string; shortLink: string },
): { url: string; isTracked: boolean } {
  const made = linkTo(page, partner);
  return 'url' in made ? { url: made.url, isTracked: true } : { url: page, isTracked: false };
}

/** What a file is, in a few words: `PNG, 1200 × 628, 84 KB`. */
export function describeFile(file: {
  media_type: string;
  size_bytes: number;
  width: number | null;
  height: number | null;
}): string {
  const type = (file.media_type.split('/')[1] ?? '').toUpperCase();
  const pixels = file.width !== null && file.height !== null ? [`${file.width} × ${file.height}`] : [];
  return [type, ...pixels, sizeInWords(file.size_bytes)].join(', ');
}

function sizeInWords(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The ids with one of them moved up or down by one place. */
export function moved(ids: number[], id: number, by: 1 | -1): number[] {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ids.length) return ids;
  const rest = ids.filter((other) => other !== id);
  return [...rest.slice(0, to), id, ...rest.slice(to)];
}
