/** A part of the documentation that can be found. */
export type Passage = {
  href: string;
  /** The title of its page. */
  page: string;
  /** Its own heading; null for the start of a page. */
  heading: string | null;
  text: string;
  /** How much it counts beside others; 1 if it is not given. */
  weight?: number;
};

/** What was found, with the words around the first match. */
export type FoundPassage = Omit<Passage, 'text' | 'weight'> & { excerpt: { text: string; isMatch: boolean }[] };

export type GuideSearch = (query: string, limit: number) => FoundPassage[];

/** How much a word counts by where it is. */
const WEIGHTS = { page: 6, heading: 8, text: 1 };
/** A word that is in a text often counts more, up to this. */
const MAX_REPEATS = 4;
const MAX_QUERY = 100;
const MAX_WORDS = 8;
const MAX_OF_A_PAGE = 3;
const EXCERPT = 150;
/** In shorter words, another letter is mostly another word. */
const MIN_TYPO_CHARS = 5;
/** Words and what is between them, in an excerpt. */
const NEARBY = 24;
/** Words of questions that are in every passage. */
const FILLERS = new Set(
  'a an and are at be can do does for from get how i in is it its my of on or the to what when why with'.split(' '),
);

/**
 * A search over passages. Words match from their start, in any order, and singular and plural are the same. A word that is nowhere stands for
 * those that differ from it by one typo. Passages with all words come first; only if there are none, those with some.
 */
export function createGuideSearch(passages: Passage[]): GuideSearch {
  const index = indexOf(passages);
  const words = [...index.keys()].toSorted();
  return (query, limit) => {
    const asked = askedWords(query).map((word) => meantBy(word, words));
    if (asked.length === 0) return [];
    const found = new Map<number, { score: number; words: number }>();
    for (const meant of asked) {
      for (const [passage, score] of scoresOf(meant, words, index, passages.length)) {
        const sofar = found.get(passage) ?? { score: 0, words: 0 };
        const weight = passages[passage]?.weight ?? 1;
        found.set(passage, { score: sofar.score + score * weight, words: sofar.words + 1 });
      }
    }
    const most = Math.max(0, ...[...found.values()].map((one) => one.words));
    const ranked = [...found]
      .filter(([, one]) => one.words === most)
      .toSorted(([first, one], [second, other]) => other.score - one.score || first - second)
      .map(([passage]) => passages[passage] as Passage);
    return atMostSomeOfAPage(ranked)
      .slice(0, limit)
      .map(({ href, page, heading, text }) => ({ href, page, heading, excerpt: excerptOf(text, asked.flat()) }));
  };
}

type Index = Map<string, Map<number, number>>;

/** The weight of each word in each passage. */
function indexOf(passages: Passage[]): Index {
  const index: Index = new Map();
  passages.forEach(({ page, heading, text }, passage) => {
    const add = (source: string, weight: number, most: number) => {
      for (const word of wordsOf(source)) {
        const weights = index.get(word) ?? new Map<number, number>();
        weights.set(passage, Math.min((weights.get(passage) ?? 0) + weight, most));
        index.set(word, weights);
      }
    };
    add(text, WEIGHTS.text, WEIGHTS.text * MAX_REPEATS);
    add(heading ?? '', WEIGHTS.heading, Number.POSITIVE_INFINITY);
    // The start of a page is what its title is about; its sections have it too, so that “stripe refunds” finds them.
    add(page, heading === null ? WEIGHTS.page + WEIGHTS.heading : WEIGHTS.page / 2, Number.POSITIVE_INFINITY);
  });
  return index;
}

/** The word itself, or what was probably meant if no word starts with it. */
function meantBy(asked: string, words: string[]): string[] {
  if (asked.length < MIN_TYPO_CHARS || words[firstAtLeast(words, asked)]?.startsWith(asked)) return [asked];
  return words.filter((word) => isOneTypoAway(asked, word));
}

/** Whether a letter is missing, too much, another one, or swapped with the next. */
function isOneTypoAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [first, second] = [one.slice(same), other.slice(same)];
  const isSwapped = first[0] === second[1] && first[1] === second[0] && first.slice(2) === second.slice(2);
  return [first, first.slice(1)].some((rest) => rest === second.slice(1)) || first.slice(1) === second || isSwapped;
}

/** How well passages match one of the words: the best of all words that start with it, where rare words and whole words count more. */
function scoresOf(meant: string[], words: string[], index: Index, passages: number): Map<number, number> {
  const scores = new Map<number, number>();
  for (const asked of meant) {
    // A single letter is in nearly every passage, so only the letter itself counts.
    const fits = (word: string | undefined) => word === asked || (asked.length > 1 && word?.startsWith(asked));
    for (let at = firstAtLeast(words, asked); fits(words[at]); at += 1) {
      const word = words[at] as string;
      const weights = index.get(word) as Map<number, number>;
      const rarity = Math.log(1 + passages / weights.size);
      const likeness = word === asked ? 1 : (0.6 * asked.length) / word.length;
      for (const [passage, weight] of weights) {
        scores.set(passage, Math.max(scores.get(passage) ?? 0, weight * rarity * likeness));
      }
    }
  }
  return scores;
}

function firstAtLeast(words: string[], asked: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as string) < asked) low = middle + 1;
    else high = middle;
  }
  return low;
}

function atMostSomeOfAPage(passages: Passage[]): Passage[] {
  const seen = new Map<string, number>();
  return passages.filter(({ page }) => {
    const count = (seen.get(page) ?? 0) + 1;
    seen.set(page, count);
    return count <= MAX_OF_A_PAGE;
  });
}

function askedWords(query: string): string[] {
  const words = [...new Set(wordsOf(query.slice(0, MAX_QUERY)))].slice(0, MAX_WORDS);
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : words;
}

/** Words and numbers without case, accents and the plural; names such as `svc_click_id` are several words. */
function wordsOf(text: string): string[] {
  return (plain(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** The text around the place with the most of the words that were asked for, cut between words. */
function excerptOf(text: string, asked: string[]): FoundPassage['excerpt'] {
  const pieces = text.split(/([\p{L}\p{N}\p{M}]+)/u);
  // The word of the question that each piece is, if it is one.
  const matches = pieces.map((piece, at) => (at % 2 === 1 ? matchOf(piece, asked) : -1));
  const start = startOf(pieces, bestPlace(matches));
  const excerpt: FoundPassage['excerpt'] = start > 0 ? [{ text: '… ', isMatch: false }] : [];
  let length = 0;
  let at = start;
  for (; at < pieces.length && length < EXCERPT; at += 1) {
    const piece = pieces[at] as string;
    length += piece.length;
    const isMatch = matches[at] !== -1;
    const last = excerpt.at(-1);
    if (last && last.isMatch === isMatch) last.text += piece;
    else if (piece) excerpt.push({ text: piece, isMatch });
  }
  if (at < pieces.length) excerpt.push({ text: ' …', isMatch: false });
  return excerpt;
}

function matchOf(piece: string, asked: string[]): number {
  const word = singular(plain(piece));
  return asked.findIndex((one) => word.startsWith(one));
}

/** Where the most different words are together. */
function bestPlace(matches: number[]): number {
  let best = { at: 0, words: 0 };
  matches.forEach((match, at) => {
    if (match === -1) return;
    const words = new Set(matches.slice(at, at + NEARBY).filter((one) => one !== -1)).size;
    if (words > best.words) best = { at, words };
  });
  return best.at;
}

/** Some words before a place. */
function startOf(pieces: string[], place: number): number {
  let start = place;
  for (let before = 0; start > 0 && before < EXCERPT / 3; start -= 1) before += (pieces[start - 1] as string).length;
  return start;
}
