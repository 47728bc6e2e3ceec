import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Why a password is refused: it is known to everybody who guesses, or it is made of what they try first. */
export type PasswordProblem = 'blank' | 'common' | 'address' | 'product';

const PRODUCT = 'svc';
/** More than this many characters around a common word make a password of their own. */
const MAX_AROUND_CHARS = 6;
/** Fewer digits than this can be tried one by one. */
const FEW_DIGITS = 12;

/** What people write for letters. */
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** What shows nothing on a screen: spaces of all kinds, format and control characters, fillers and the braille blank. */
const BLANKS = /[\s\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0\u2800]/gu;

const KNOWN = new Set(COMMON_PASSWORDS.trim().split(/\s+/));

/** What makes the password easy to guess, if anything. Letter case, and digits or signs around a word, do not help. */
export function passwordProblem(password: string, email?: string): PasswordProblem | null {
  const typed = password.replace(BLANKS, '').toLowerCase();
  if (typed === '') return 'blank';
  const forms = [typed, coreOf(typed), lettersOf(typed), lettersOf(coreOf(typed))];
  if (email && isAddress(forms, email.trim().toLowerCase())) return 'address';
  if (typed.replace(/[^a-z]/g, '').replaceAll(PRODUCT, '') === '' && typed.includes(PRODUCT)) return 'product';
  const isFewDigits = /^\d+$/.test(typed) && typed.length < FEW_DIGITS;
  const isRepeated = /^(.{1,4})\1+$/.test(typed);
  return isFewDigits || isRepeated || forms.some((form) => KNOWN.has(form)) ? 'common' : null;
}

function isAddress(forms: string[], address: string): boolean {
  const [name = ''] = address.split('@');
  return forms.includes(address) || (name.length >= 4 && forms.includes(name));
}

/** The word in the middle, without a few digits and signs before and after it. */
function coreOf(typed: string): string {
  const core = typed.replace(/^[^a-z]+|[^a-z]+$/g, '');
  return typed.length - core.length > MAX_AROUND_CHARS ? typed : core;
}

function lettersOf(typed: string): string {
  return typed.replace(/[013457@$]/g, (sign) => LETTERS[sign] ?? '');
}
