import { escapeHtml } from '../../html.ts';

/** Documentation pages run no scripts and load nothing from other origins. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
};

/** The parts of the documentation, in the bar at the top of each page. */
const PARTS = [
  ['Guide', '/docs/guide/dashboard'],
  ['API reference', '/docs'],
  ['Errors', '/docs/errors'],
  ['Payments', '/docs/payments'],
  ['Tracker', '/docs/tracker'],
  ['OpenAPI', '/openapi.json'],
] as const;
export type Part = (typeof PARTS)[number][0];

const SHAPES = `<rect width="32" height="32" rx="8" fill="#2447d8"/>
<circle cx="10" cy="21" r="3.5" fill="#fff"/><circle cx="22" cy="11" r="3.5" fill="none" stroke="#fff" stroke-width="2.4"/>
<path d="M12.5 18.5 19.3 13.4" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>`;
const MARK = `<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">${SHAPES}</svg>`;

/** What browsers show on a tab, as a file. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${SHAPES}</svg>`;

/** Links to the parts of the documentation and back to the dashboard. */
export function bar(current: Part | null): string {
  const links = PARTS.map(
    ([title, path]) => `<a href="${path}"${title === current ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return `<a class="skip" href="#content">Skip to content</a>
<nav class="bar" aria-label="Documentation"><a class="brand" href="/docs/guide/dashboard">${MARK}svc docs</a>
<div class="parts">
${links.join('\n')}
</div>
<a class="back" href="/app">Dashboard</a></nav>`;
}

/** What stands beside the text: a menu of pages, and the sections of this one. Both are HTML. */
type Sides = { menu?: string; contents?: string };

export function page(title: string, body: string, current: Part | null = null, sides: Sides = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · svc docs</title>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
${bar(current)}
<div class="columns">
<div class="side">${sides.menu ?? ''}</div>
<main class="text" id="content">
<h1>${escapeHtml(title)}</h1>
${body}
</main>
${sides.contents ?? ''}
</div>
</body>
</html>
`;
}
