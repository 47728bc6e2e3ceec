import { escapeHtml } from '../../html.ts';

/** Documentation pages run one script of this service and load nothing from other origins. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
};

/** The parts of the documentation, in the bar at the top of each page. */
const PARTS = [
  ['Guide', '/docs/guide'],
  ['API reference', '/docs'],
] as const;
type Part = (typeof PARTS)[number][0];

const SHAPES = `<rect width="32" height="32" rx="8" fill="#2447d8"/>
<circle cx="10" cy="21" r="3.5" fill="#fff"/><circle cx="22" cy="11" r="3.5" fill="none" stroke="#fff" stroke-width="2.4"/>
<path d="M12.5 18.5 19.3 13.4" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>`;
const MARK = `<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">${SHAPES}</svg>`;

/** What browsers show on a tab, as a file. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${SHAPES}</svg>`;

const LENS = `<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3 3"/></svg>`;
const LINES = `<svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" aria-hidden="true"><path d="M3 5h12M3 9h12M3 13h12"/></svg>`;

type Bar = { part?: Part | null; hasMenu?: boolean; hasSearch?: boolean };

/** Links to the parts of the documentation and back to the dashboard. On phones, the menu opens over the page, and the search has its own. */
export function bar({ part = null, hasMenu = false, hasSearch = true }: Bar): string {
  const links = PARTS.map(
    ([title, path]) => `<a href="${path}"${title === part ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return `<a class="skip" href="#content">Skip to content</a>
<header class="bar">
${hasMenu ? `<button class="open" type="button" popovertarget="menu" aria-label="Menu">${LINES}</button>` : ''}
<a class="brand" href="/docs/guide">${MARK}svc docs</a>
<nav class="parts" aria-label="Documentation">
${links.join('\n')}
</nav>
${hasSearch ? searchForm('bar') : ''}
<a class="find" href="/docs/search" aria-label="Search the docs">${LENS}</a>
<a class="back" href="/app">Dashboard</a>
</header>`;
}

/** A search that works without scripts. On other pages than its own, the keyboard leads to it. */
export function searchForm(place: 'bar' | 'page', query = ''): string {
  const value = query && ` value="${escapeHtml(query)}"`;
  return `<form class="search" role="search" action="/docs/search">
${LENS}<input id="search-${place}" type="search" name="q" maxlength="100" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off" spellcheck="false"${value}>
<kbd aria-hidden="true">/</kbd>
</form>`;
}

/** What is around the text, as HTML: a menu of pages, the sections of this one, where it belongs, and what follows it. */
type Sides = { menu?: string; contents?: string; above?: string; below?: string; hasSearch?: boolean };

export function page(title: string, body: string, sides: Sides = {}): string {
  const { menu = '', contents = '', above = '', below = '' } = sides;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · svc docs</title>
<link rel="stylesheet" href="/docs/docs.css">
<link rel="preload" href="/docs/geist.woff2" as="font" type="font/woff2" crossorigin>
<script src="/docs/docs.js" defer></script>
</head>
<body>
${bar({ part: menu ? 'Guide' : null, hasMenu: menu !== '', hasSearch: sides.hasSearch ?? true })}
<div class="columns">
${menu || '<div class="side"></div>'}
<main class="text" id="content">
${above}<h1>${escapeHtml(title)}</h1>
${body}
${below}</main>
${contents}
</div>
</body>
</html>
`;
}
