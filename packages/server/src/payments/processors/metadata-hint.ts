const NAMES = ['svc_click_id', 'svc_customer_key'] as const;
/** These are ours too, but nobody is identified by them. */
const OTHER_NAMES = ['svc_coupon_code'];
/** What people write instead of our names, without case and punctuation. */
const LOOKALIKES = new Set(['clickid', 'customerkey']);
const MAX_TYPOS = 2;
const MAX_FIELDS = 50;
/** Longer names, or other characters, are no typos of ours. */
const NAME = /^[\x20-\x7e]{1,40}$/;

/** Names the first metadata field that looks like a misspelt one of ours, and what it should be called. */
export function metadataHint(
  metadata: (Record<string, unknown> | null)[],
  processorsWord = 'metadata',
): string | undefined {
  const fields = metadata.flatMap((source) => Object.keys(source ?? {}).slice(0, MAX_FIELDS)).slice(0, MAX_FIELDS);
  const missing = NAMES.filter((name) => !fields.includes(name));
  for (const field of fields) {
    if (!NAME.test(field) || [...NAMES, ...OTHER_NAMES].some((name) => name === field)) continue;
    const meant = closestName(field, missing);
    if (meant) return `The ${processorsWord} has a field “${field}”. Did you mean “${meant}”?`;
  }
  return undefined;
}

function closestName(field: string, names: readonly string[]): string | undefined {
  const word = plain(field);
  const [closest] = names
    .map((name) => ({ name, typos: distance(word, plain(name)) }))
    .sort((one, other) => one.typos - other.typos);
  if (!closest) return undefined;
  const isLookalike =
    word.startsWith('svc') || names.some((name) => LOOKALIKES.has(word) && plain(name).endsWith(word));
  return isLookalike || closest.typos <= MAX_TYPOS ? closest.name : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** How many letters have to be added, removed or replaced to turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
    }
    row = next;
  }
  return row[to.length]!;
}
