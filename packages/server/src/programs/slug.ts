/** A name as part of a URL: lower-case letters, digits and hyphens. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return slug || 'program';
}
