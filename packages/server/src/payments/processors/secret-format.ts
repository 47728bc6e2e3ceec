/** What the signing secrets of a processor look like, and what people mistake for one. */
export type SecretFormat = {
  /** How they start. Null where the merchant chooses the secret. */
  prefix: string | null;
  /** How many characters follow the prefix at least. */
  minChars: number;
  /** Where the processor shows it. Null if nobody does: the shop makes it up. */
  place: string | null;
  /** Other values of the processor, by their beginning. */
  lookalikes: [prefix: string, what: string][];
};

/** Examples end in an ellipsis and are easily pasted as they are. */
const SECRET_PART = /^[\w+/=-]+$/;
/** A secret that the merchant chose may contain any characters except these. */
const CHOSEN_SECRET = /^[^\s…]+$/;

/** What is wrong with a value that is not a signing secret. The value itself is never repeated. */
export function secretProblem(
  title: string,
  { prefix, minChars, place, lookalikes }: SecretFormat,
  value: string,
): string | null {
  const isOwn = prefix !== null && value.startsWith(prefix);
  const lookalike = isOwn ? undefined : lookalikes.find(([beginning]) => value.startsWith(beginning));
  const start = prefix === null ? '' : `, which starts with ${prefix},`;
  if (lookalike || (prefix !== null && !isOwn)) {
    const what = lookalike ? `${lookalike[1]} (${lookalike[0]}…), not a signing secret` : 'not a signing secret';
    const advice =
      place === null ? `It starts with ${prefix}.` : `${title} shows the signing secret${start} under ${place}.`;
    return `webhook_secret: this is ${what}. ${advice}`;
  }
  const part = value.slice(prefix?.length ?? 0);
  const isComplete = (prefix === null ? CHOSEN_SECRET : SECRET_PART).test(part) && part.length >= minChars;
  if (isComplete) return null;
  const advice =
    place === null
      ? `It has at least ${minChars} characters after ${prefix}.`
      : `${title} shows the signing secret under ${place}.`;
  return `webhook_secret is not complete. ${advice}`;
}
