import { escapeHtml } from '../../html.ts';
import type { FoundPassage } from './guide-search.ts';
import { searchForm } from './page.ts';

/** The search with what it has found, for browsers without scripts, phones and links to results. */
export function searchBody(query: string, found: FoundPassage[]): string {
  return `${searchForm('page', query)}\n${query && resultsOf(query, found)}`;
}

function resultsOf(query: string, found: FoundPassage[]): string {
  if (found.length === 0) {
    return `<p>Nothing found for “${escapeHtml(query)}”. Try fewer or other words, or <a href="/docs/guide">look through all pages</a>.</p>`;
  }
  const results = found.map(
    ({ href, page, heading, excerpt }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(heading ?? page)}</a>
${heading ? `<span class="place">${escapeHtml(page)}</span>` : ''}
<p>${excerpt.map(({ text, isMatch }) => (isMatch ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text))).join('')}</p></li>`,
  );
  return `<ol class="results">${results.join('\n')}</ol>`;
}
