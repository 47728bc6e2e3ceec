/** What the signing secrets of a processor look like, and what people mistake for one. */
export type SecretFormat = {
  /** How they start. Null where the merchant chooses the secret. */
  prefix: string | null;
  /** How many characters follow the prefix at least. */
  minChars: number;
  /** Where the processor shows it. */
  place: string;
  /** Other values of the processor, by their beginning. */
  lookalikes: [prefix: string, what: string][];
};

/** Examples end in an ellipsis and are easily pasted as they are. */
const SECRET_PART = /^[\w+/=-]+$/;
/** A secret that somebody thought of may have any characters but those. */
const CHOSEN_SECRET = /^[^\s…]+$/;

/** What is wrong with a value that is not a signing secret. The value itself is never repeated. */
export function secretProblem(
  title: string,
  { prefix, minChars, place, lookalikes }: SecretFormat,
  value: string,
): string | null {
  const startsRight = prefix !== null && value.startsWith(prefix);
  const lookalike = startsRight ? undefined : lookalikes.find(([beginning]) => value.startsWith(beginning));
  if (lookalike || (prefix !== null && !startsRight)) {
    const what = lookalike ? `${lookalike[1]} (${lookalike[0]}…), not a signing secret` : 'not a signing secret';
    const start = prefix === null ? '' : `, which starts with ${prefix},`;
    return `webhook_secret: this is ${what}. ${title} shows the signing secret${start} under ${place}.`;
  }
  const part = value.slice(prefix?.length ?? 0);
  const isComplete = (prefix === null ? CHOSEN_SECRET : SECRET_PART).test(part) && part.length >= minChars;
  return isComplete ? null : `webhook_secret is not complete. ${title} shows the signing secret under ${place}.`;
}
