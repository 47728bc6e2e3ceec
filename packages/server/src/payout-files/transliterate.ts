/** A text in Latin letters, and the letters of it that have no reading there. */
export type Latin = { text: string; unreadable: string[] };

/** Pairs of a character and its reading, from a list of words. */
const readings = (list: string): Map<string, string> => {
  const pairs = list.split(/\s+/).map((pair): [string, string] => [[...pair][0] ?? '', [...pair].slice(1).join('')]);
  return new Map(pairs);
};

// Small letters; capitals follow. An accent that is not listed is left out: é is e, ż is z. Cyrillic is read as in Bulgaria, which
// is where SEPA meets it, with the letters of its neighbors. A letter without a reading of its own, such as ь, is left out.
const LETTERS = readings(
  `äae öoe üue ßss æae œoe øo åa ðd þth łl đd ħh ıi ĸk ŋn ŧt əe
  αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo
  аa бb вv гg дd еe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щsht ъa ыy ь эe юyu яya
  ёe єie іi їi ґg ўu ђdj ѓgj ѕdz јj љlj њnj ћc ќkj џdz`,
);

const SYMBOLS = readings(
  `_- –- —- ‑- ‐- −- ~- =- ;, !. *. %. #. "' “' ”' „' «' »' @(at) [( ]) {( }) <( >) |/ \\/ €EUR £GBP $USD &+ ·. •.`,
);

/**
 * Reads a text in the letters that SEPA allows, at most so many of them. Characters that are no letters, such as emoji, become a
 * space. Letters without a reading are listed, because leaving them out of a name would make it another one.
 */
export function toSepaText(text: string, maxChars: number): Latin {
  return toLatin(text, maxChars, /^[a-zA-Z0-9/\-?:().,'+ ]$/);
}

/** The same for ACH, which has capitals only, and an ampersand. */
export function toAchText(text: string, maxChars: number): Latin {
  const { text: read, unreadable } = toLatin(text, maxChars, /^[a-zA-Z0-9/\-().,'& ]$/);
  return { text: read.toUpperCase(), unreadable };
}

function toLatin(text: string, maxChars: number, allowed: RegExp): Latin {
  const isPlain = /^[a-zA-Z0-9]+(?: [a-zA-Z0-9]+)*$/.test(text);
  if (isPlain) return { text: text.slice(0, maxChars).trim(), unreadable: [] };
  const unreadable: string[] = [];
  const characters = [...prepared(text)];
  const read = characters.map((character, index) => {
    if (allowed.test(character)) return character;
    const letter = LETTERS.get(character.toLowerCase());
    if (letter !== undefined) return asCapital(letter, character, characters[index - 1], characters[index + 1]);
    const symbol = SYMBOLS.get(character);
    if (symbol !== undefined && [...symbol].every((part) => allowed.test(part))) return symbol;
    const bare = character.normalize('NFD').replaceAll(/\p{M}/gu, '');
    if (bare.length === 1 && allowed.test(bare)) return bare;
    const bareLetter = LETTERS.get(bare.toLowerCase());
    if (bareLetter !== undefined) return asCapital(bareLetter, bare, characters[index - 1], characters[index + 1]);
    if (/[\p{L}\p{N}]/u.test(character)) unreadable.push(character);
    return /[\p{M}\p{Cf}]/u.test(character) ? '' : ' ';
  });
  const line = read.join('').replaceAll(/ +/g, ' ').trim();
  return { text: line.slice(0, maxChars).trim(), unreadable: [...new Set(unreadable)] };
}

/** Two letters that are read together, and apostrophes of any shape. The rest is read one by one. */
function prepared(text: string): string {
  return text
    .replaceAll(/[’‘‛`´ʼʹ′]/g, "'")
    .normalize('NFKC')
    .replaceAll(/(?<=[οΟ])[υύ]/g, 'u')
    .replaceAll(/(?<=[οΟ])[ΥΎ]/g, 'U')
    .replaceAll('ьо', 'yo');
}

/** Ж is Zh in a word like Жуков, and ZH in ЖУКОВ. */
function asCapital(reading: string, letter: string, before = '', after = ''): string {
  if (letter === letter.toLowerCase()) return reading;
  const isCapital = (neighbor: string) => neighbor !== neighbor.toLowerCase();
  const isSmall = (neighbor: string) => neighbor !== neighbor.toUpperCase();
  if (isCapital(after) || (isCapital(before) && !isSmall(after))) return reading.toUpperCase();
  return reading.slice(0, 1).toUpperCase() + reading.slice(1);
}
