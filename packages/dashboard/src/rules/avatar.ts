/** Classes of the colors that avatars have. `tokens.css` defines them. */
export const AVATAR_COLORS = {
  blue: 'bg-blue-soft text-blue',
  teal: 'bg-teal-soft text-teal',
  green: 'bg-green-soft text-green',
  amber: 'bg-amber-soft text-amber',
  red: 'bg-red-soft text-red',
  violet: 'bg-violet-soft text-violet',
};
type AvatarColor = keyof typeof AVATAR_COLORS;

/** The color of a name: the same one wherever it appears. */
export function colorOf(name: string): AvatarColor {
  const colors = Object.keys(AVATAR_COLORS) as AvatarColor[];
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return colors[hash % colors.length] ?? 'blue';
}

/** Up to two letters that stand for a name: of its first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => firstLetter(word ?? ''));
  return letters.join('').toUpperCase() || '?';
}

const firstLetter = (word: string) => [...word][0] ?? '';
