import { z } from 'zod';
import { boundedText, isStorable } from './fields.ts';

/** The kinds of questions on a join page, and what an answer may be. */
export const QUESTION_KINDS = {
  text: { label: 'Short answer', maxChars: 200 },
  long_text: { label: 'Long answer', maxChars: 2_000 },
  choice: { label: 'One of several options', maxChars: 100 },
} as const;

export type QuestionKind = keyof typeof QUESTION_KINDS;

const KINDS = Object.keys(QUESTION_KINDS) as QuestionKind[];

export const MAX_QUESTIONS = 5;
export const MAX_QUESTION_CHARS = 200;
export const MAX_OPTIONS = 10;
export const MAX_AGREEMENT_CHARS = 20_000;
/** In base64, and with the rest of the request, this is just below the limit of a request body. */
export const MAX_LOGO_BYTES = 45 * 1024;
/** Width and height. Ten times what is shown. */
export const MAX_LOGO_PIXELS = 2_000;

const QUESTIONS = `questions must be a list of at most ${MAX_QUESTIONS} questions`;
const OPTIONS = `questions: a choice has 2 to ${MAX_OPTIONS} different options of at most ${QUESTION_KINDS.choice.maxChars} characters`;

const line = (maxChars: number, error: string) =>
  z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(maxChars, { error })
    .refine(isStorable, { error: 'questions contains characters that cannot be stored' });

export const question = z.object({
  label: line(MAX_QUESTION_CHARS, `questions: a question has 1 to ${MAX_QUESTION_CHARS} characters`),
  kind: z.enum(KINDS, { error: `questions: kind must be ${KINDS.join(', ')}` }),
  required: z.boolean({ error: 'questions: required must be true or false' }).default(false),
  options: z
    .array(line(QUESTION_KINDS.choice.maxChars, OPTIONS), { error: OPTIONS })
    .max(MAX_OPTIONS, { error: OPTIONS })
    .default([])
    .describe('Of a choice; empty for the other kinds.'),
});

export type Question = z.infer<typeof question>;

const isComplete = ({ kind, options }: Question) =>
  kind === 'choice' ? options.length >= 2 && new Set(options).size === options.length : options.length === 0;

export const questions = z
  .array(question, { error: QUESTIONS })
  .max(MAX_QUESTIONS, { error: QUESTIONS })
  .refine((list) => list.every(isComplete), { error: OPTIONS })
  .refine((list) => new Set(list.map(({ label }) => label)).size === list.length, {
    error: 'questions must all be different',
  });

const ANSWERS = 'answers must be a list of {question, answer}';

/** What an applicant answered. Questions are named by their text, so that an answer never ends up at another question. */
export const answer = z.object(
  {
    question: boundedText('question', MAX_QUESTION_CHARS),
    answer: boundedText('answer', QUESTION_KINDS.long_text.maxChars),
  },
  { error: ANSWERS },
);

export const answers = z
  .array(answer, { error: ANSWERS })
  .max(MAX_QUESTIONS, { error: `answers must be at most ${MAX_QUESTIONS}` });

export type Answer = z.infer<typeof answer>;

const COLOR = 'brand_color must be a color like #1a7f5a';

export const brandColor = z
  .string({ error: COLOR })
  .regex(/^#[0-9a-f]{6}$/i, { error: COLOR })
  .toLowerCase();

export const agreementText = boundedText('agreement', MAX_AGREEMENT_CHARS).transform((value) => value.trim() || null);

const LOGO = `image must be a PNG, JPEG or WebP file of at most ${MAX_LOGO_BYTES / 1024} KiB, in base64`;

/** A file in base64. What it contains is checked by its first bytes, never by its name. */
export const logoImage = z
  .string({ error: (issue) => (issue.input === undefined ? 'image is required' : LOGO) })
  .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, { error: LOGO })
  .regex(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, { error: LOGO });
