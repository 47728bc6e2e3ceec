import { boundedText } from './fields.ts';
import { MAX_COUPON_CHARS } from './limits.ts';

/** Characters that people do not see, or that only change how their neighbors look. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Scripts that one language writes together. Latin is used beside each of the East Asian ones. */
const WRITTEN_TOGETHER = [
  /^\p{Script=Latin}*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
];

/** A code that people can read off a page and type: no invisible characters, and no letters of look-alike alphabets mixed. */
export const couponCode = boundedText('code', MAX_COUPON_CHARS)
  .trim()
  .min(1, { error: 'code must not be empty' })
  .refine((code) => !UNSEEN.test(code), { error: 'code must not contain invisible characters' })
  .refine(isOfOneAlphabet, { error: 'code must not mix letters of different alphabets' });

/** Whether all letters are of one script, or of scripts that are written together. Digits and signs belong to all. */
function isOfOneAlphabet(code: string): boolean {
  const letters = code.normalize('NFKC').replace(/[\p{Script=Common}\p{Script=Inherited}]/gu, '');
  if (WRITTEN_TOGETHER.some((scripts) => scripts.test(letters))) return true;
  return SCRIPTS.some((script) => script.test(letters));
}

const SCRIPTS = (
  'Arabic Armenian Bengali Cherokee Coptic Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer ' +
  'Lao Malayalam Mongolian Myanmar Oriya Sinhala Tamil Telugu Thai Tibetan'
)
  .split(' ')
  .map((name) => new RegExp(`^\\p{Script=${name}}*$`, 'u'));
