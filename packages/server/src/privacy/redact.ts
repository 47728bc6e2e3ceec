/** By what a person is recognized in texts. */
export type Identifiers = {
  words: string[];
  /** Whether an e-mail address is theirs. */
  ownsAddress: (address: string) => boolean;
};

/** What stands where an erased person was named. */
export const ERASED = '[erased]';

/** Shorter words occur in texts that have nothing to do with the person. */
const MIN_WORD_CHARS = 5;

const ADDRESS = /[^\s"'<>(),;:=&?/\\]+@[^\s"'<>(),;:=&?/\\]+[^\s"'<>(),;:=&?/\\.]/g;

/** A part of a web address in which something is encoded. */
const ENCODED = /[^\s"'<>(),;:=&?#/\\]*%[\da-f]{2}[^\s"'<>(),;:=&?#/\\]*/gi;

/** A free text without the person's addresses and the words that stand on their own, also where web addresses encode them. */
export function redactText(text: string, identifiers: Identifiers): string {
  const isNamed = (reading: string) => redactPlain(reading, identifiers) !== reading;
  return redactPlain(text, identifiers).replace(ENCODED, (part) => (readingsOf(part).some(isNamed) ? ERASED : part));
}

function redactPlain(text: string, { words, ownsAddress }: Identifiers): string {
  const withoutAddresses = text.replace(ADDRESS, (address) => (ownsAddress(address) ? ERASED : address));
  return words
    .filter((word) => word.length >= MIN_WORD_CHARS)
    .reduce((redacted, word) => redacted.replace(onItsOwn(word), ERASED), withoutAddresses);
}

function onItsOwn(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu');
}

/** What a part of a web address may stand for: decoded as often as possible, with a plus as such or as a space. */
function readingsOf(text: string): string[] {
  const spaced = text.replaceAll('+', ' ');
  try {
    const once = decodeURIComponent(text);
    return [text, spaced, ...(once === text ? [] : readingsOf(once))];
  } catch {
    return [text, spaced];
  }
}

/** A JSON value in which the person is not named, neither by a whole value nor within a text. */
export function redactJson<Value>(value: Value, identifiers: Identifiers): Value {
  return redact(value, identifiers) as Value;
}

function redact(value: unknown, identifiers: Identifiers): unknown {
  if (typeof value === 'string') {
    return identifiers.words.includes(value) ? ERASED : redactText(value, identifiers);
  }
  if (Array.isArray(value)) return value.map((item) => redact(item, identifiers));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redactText(name, identifiers), redact(item, identifiers)]),
  );
}

/** Whether a JSON value names the person. */
export function isNamedIn(value: unknown, identifiers: Identifiers): boolean {
  return JSON.stringify(redact(value, identifiers)) !== JSON.stringify(value);
}
