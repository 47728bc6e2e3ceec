// Renders the pages of docs/ that users read. The service puts them into its own frame and serves them under /docs/guide.
import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';

const folder = fileURLToPath(new URL('.', import.meta.url));
const docs = resolve(folder, '../../docs');
const dashboardStyles = resolve(folder, '../dashboard/src/styles');

/** The pages by group, in the order of the menu. Decisions are for those who change the service. */
const GROUPS = {
  'Use it': ['dashboard', 'links', 'attribution', 'terms', 'moving-in', 'glossary'],
  'Pay partners': ['payouts', 'payout-methods', 'statements', 'books', 'accountants'],
  'Build with it': [
    'tracker',
    'relay',
    'node',
    'clients',
    'integrations',
    'payments',
    'events',
    'postbacks',
    'api',
    'versioning',
    'cli',
    'mcp',
  ],
  'Run it': ['operations', 'reliability', 'high-availability', 'performance', 'rights', 'schema'],
};
const NAMES = Object.values(GROUPS).flat();

/** Writes the pages, their images, their styles and the font. */
export async function buildGuide() {
  const dist = join(folder, 'dist/guide');
  const beside = `${dist}.${process.pid}.tmp`;
  await mkdir(beside, { recursive: true });
  const pages = Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await renderPage(name)])));
  const groups = Object.entries(GROUPS).map(([title, names]) => ({ title, names }));
  await writeFile(join(beside, 'guide.json'), JSON.stringify({ groups, pages }));
  await writeFile(join(beside, 'docs.css'), await stylesheet());
  await cp(fontFile(), join(beside, 'geist.woff2'));
  await cp(join(docs, 'images'), join(beside, 'images'), { recursive: true });
  await rm(dist, { recursive: true, force: true });
  await rename(beside, dist);
}

/** A page with its title and the sections that its own menu lists. */
async function renderPage(/** @type {string} */ name) {
  // Raw HTML is shown as text, and links to anything but web addresses are left out: both are how markdown-it is set up by default.
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const env = { name, title: '', sections: /** @type {{ id: string, title: string }[]} */ ([]) };
  const source = await readFile(join(docs, `${name}.md`), 'utf8');
  const tokens = markdown.parse(source, env);
  const body = withoutTitle(tokens, env);
  addHeadingIds(body, env);
  for (const token of body) for (const child of token.children ?? []) adaptLink(child);
  const html = markdown.renderer
    .render(body, markdown.options, env)
    // Wide tables and code scroll on their own, also by keyboard.
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
  return {
    title: env.title,
    summary: summaryOf(tokens),
    sections: env.sections,
    html,
    markdown: adaptMarkdown(source),
  };
}

/** @typedef {import('markdown-it').Token} Token */

/** Takes the first heading out, which the frame of the page shows. */
function withoutTitle(/** @type {Token[]} */ tokens, /** @type {{ title: string }} */ env) {
  const start = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1');
  env.title = textOf(tokens[start + 1]);
  return tokens.filter((_, index) => index < start || index > start + 2);
}

/** The first sentence of a page. */
function summaryOf(/** @type {Token[]} */ tokens) {
  const first = textOf(tokens[tokens.findIndex(({ type }) => type === 'paragraph_open') + 1]);
  return first.replaceAll('\n', ' ').split(/(?<=\.) /)[0];
}

/** The source of a page for those who read Markdown. Its links work where the page is served, and others are only text. */
function adaptMarkdown(/** @type {string} */ source) {
  return source.replace(/(!?)\[([^\]]*)\]\((?!https?:|#|\/)([^)\s]+)\)/g, (_, image, text, target) => {
    if (image) return target.startsWith('images/') ? `![${text}](/docs/${target})` : text;
    const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
    return page && NAMES.includes(page) ? `[${text}](/docs/guide/${page}.md${anchor})` : text;
  });
}

/** The text of a heading without its markup. */
function textOf(/** @type {Token | undefined} */ inline) {
  return (inline?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Gives headings the ids that GitHub gives them, so that links work in both places. */
function addHeadingIds(
  /** @type {Token[]} */ tokens,
  /** @type {{ sections: { id: string, title: string }[] }} */ { sections },
) {
  const seen = new Map();
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const text = textOf(tokens[index + 1]);
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    const id = count > 0 ? `${slug}-${count}` : slug;
    token.attrSet('id', id);
    if (token.tag === 'h2') sections.push({ id, title: text });
  });
}

/** Links between pages lead to their addresses here. Files of the repository have none, so only their names are left. */
function adaptLink(/** @type {Token} */ token) {
  if (token.type === 'image') {
    const source = String(token.attrGet('src') ?? '');
    token.attrSet('loading', 'lazy');
    token.attrSet('src', source.startsWith('images/') ? `/docs/${source}` : '');
    if (source.endsWith('.png')) addSize(token, source);
    if (!source.startsWith('images/')) Object.assign(token, { type: 'text', content: token.content });
  }
  if (token.type !== 'link_open') return;
  const target = String(token.attrGet('href') ?? '');
  if (/^(https?:|#|\/)/.test(target)) return;
  const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (page && NAMES.includes(page)) token.attrSet('href', `/docs/guide/${page}${anchor}`);
  else token.attrs = (token.attrs ?? []).filter(([attribute]) => attribute !== 'href');
}

/** The tokens of the dashboard and what documentation pages look like with them. */
async function stylesheet() {
  const tokens = await readFile(join(dashboardStyles, 'tokens.css'), 'utf8');
  const own = await readFile(join(folder, 'docs.css'), 'utf8');
  return tokens.replace('@theme {', ':root {') + own;
}

function fontFile() {
  return createRequire(import.meta.url).resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2');
}

/** Gives a picture its place before it is loaded, so that the text below does not move. The size is at the start of the file. */
function addSize(/** @type {Token} */ token, /** @type {string} */ source) {
  const header = readFileSync(join(docs, source)).subarray(16, 24);
  token.attrSet('width', String(header.readUInt32BE(0)));
  token.attrSet('height', String(header.readUInt32BE(4)));
}
