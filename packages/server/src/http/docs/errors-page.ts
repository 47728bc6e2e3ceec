import { errorCodes } from '@svc/contract';
import type { Block } from './blocks.ts';

const STATUSES: [number, string, string][] = [
  [400, 'The request is invalid: a field is missing or malformed, or an identifier was not found.', 'Not unchanged.'],
  [401, 'No usable credential: none, an unknown key, or a retired one.', 'Not until the credential changes.'],
  [403, 'The credential is valid but not allowed to do this, or the origin is not allowed.', 'No.'],
  [404, 'Not found. For a refund: the program has no sale with that transaction id.', 'Not unchanged.'],
  [409, 'The sale is already recorded under this transaction id.', 'No; treat it as success.'],
  [410, 'The endpoint is retired, or the link is disabled.', 'No.'],
  [429, 'Too many requests; nothing was recorded.', 'Yes, after Retry-After seconds.'],
  [500, 'The service failed.', 'Yes, with exponential backoff. Not after “Failed to create commission”.'],
  [503, 'The service is busy.', 'Yes, after Retry-After seconds.'],
];

/** Explains each status and each stable code, and what to do about it. Every code has an anchor. */
export function errorsPage(): { title: string; blocks: Block[] } {
  const codes = errorCodes.map(({ code, status, meaning, whatToDo }) => ({
    section: `\`${code}\` (${status})`,
    id: code,
    blocks: [{ text: meaning }, { text: `**What to do:** ${whatToDo}` }],
  }));
  return {
    title: 'Errors',
    blocks: [
      {
        text: 'An error response always has an `error` object. Read `error.code` first; if there is none, match on the status and `error.message`. Quote the `X-Request-ID` header when you ask for help.',
      },
      {
        titles: ['Status', 'Meaning', 'Retry?'],
        table: STATUSES.map(([status, ...words]) => [String(status), ...words]),
      },
      ...codes,
    ],
  };
}
