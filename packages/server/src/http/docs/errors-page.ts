import { errorCodes } from '@svc/contract';
import { escapeHtml } from '../../html.ts';

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
export function errorsPage(): { title: string; body: string } {
  const statuses = STATUSES.map(
    ([status, meaning, retry]) => `<tr><td>${status}</td><td>${meaning}</td><td>${retry}</td></tr>`,
  );
  const codes = errorCodes.map(
    ({ code, status, meaning, whatToDo }) => `<section id="${code}">
<h2><code>${code}</code> <small>${status}</small></h2>
<p>${escapeHtml(meaning)}</p>
<p><strong>What to do:</strong> ${escapeHtml(whatToDo)}</p>
</section>`,
  );
  return {
    title: 'Errors',
    body: `<p>An error response always has an <code>error</code> object. Read <code>error.code</code> first; if there is none,
match on the status and <code>error.message</code>. Quote the <code>X-Request-ID</code> header when you ask for help.</p>
<table><thead><tr><th>Status</th><th>Meaning</th><th>Retry?</th></tr></thead><tbody>${statuses.join('')}</tbody></table>
${codes.join('\n')}`,
  };
}
