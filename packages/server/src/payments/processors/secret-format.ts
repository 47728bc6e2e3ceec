/** What the signing secrets of a processor look like, and what people mistake for one. */
export type SecretFormat = {
  prefix: string;
  /** Where the processor shows it. */
  place: string;
  /** Other values of the processor, by their beginning. */
  lookalikes: [prefix: string, what: string][];
};

/** Examples end in an ellipsis and are easily pasted as they are. */
const SECRET_PART = /^[\w+/=-]+$/;

/** What is wrong with a value that is not a signing secret. The value itself is never repeated. */
export function secretProblem(
  title: string,
  { prefix, place, lookalikes }: SecretFormat,
  value: string,
): string | null {
  if (value.startsWith(prefix)) {
    const isComplete = SECRET_PART.test(value.slice(prefix.length));
    return isComplete ? null : `webhook_secret is not complete. ${title} shows the signing secret under ${place}.`;
  }
  const lookalike = lookalikes.find(([beginning]) => value.startsWith(beginning));
  const what = lookalike ? `${lookalike[1]} (${lookalike[0]}…), not a signing secret` : 'not a signing secret';
  return `webhook_secret: this is ${what}. ${title} shows the signing secret, which starts with ${prefix}, under ${place}.`;
}
