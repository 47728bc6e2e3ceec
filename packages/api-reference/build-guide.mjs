// Renders the pages of docs/ that users read. The service puts them into its own frame and serves them under /docs/guide.
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { highlight } from './highlight.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const docs = resolve(folder, '../../docs');
const dashboardStyles = resolve(folder, '../dashboard/src/styles');

/** The pages by subject, in the order of the menu. Decisions are for those who change the service. */
const GROUPS = {
  'Start here': ['first-program', 'for-partners', 'for-accountants', 'for-operators'],
  'Your program': ['dashboard', 'account', 'links', 'attribution', 'terms', 'moving-in'],
  'For partners': ['portal', 'payout-methods', 'postbacks'],
  'Pay partners': ['payouts', 'statements', 'books', 'accountants'],
  'Clicks and signups': ['tracker', 'relay', 'node', 'clients', 'integrations'],
  'Payment processors': ['payments', 'paddle', 'polar', 'lemon-squeezy', 'other-processors'],
  'API and tools': ['api', 'management-api', 'versioning', 'events', 'cli', 'mcp'],
  'Run the service': ['operations', 'store', 'privacy', 'reliability', 'high-availability', 'performance'],
  Reference: ['glossary', 'rights', 'schema', 'releases'],
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
  await cp(join(folder, 'page-script.mjs'), join(beside, 'docs.js'));
  await cp(fontFile(), join(beside, 'geist.woff2'));
  await mkdir(join(beside, 'images'));
  const shown = Object.values(pages).flatMap(({ html }) => [...html.matchAll(/"\/docs\/images\/([^"]+)"/g)]);
  for (const [, name = ''] of shown) await cp(join(docs, 'images', name), join(beside, 'images', name));
  await rm(dist, { recursive: true, force: true });
  await rename(beside, dist);
}

/** A page with its title, the sections that its own menu lists, and the text of each for the search. */
async function renderPage(/** @type {string} */ name) {
  // Raw HTML is shown as text, and links to anything but web addresses are left out: both are how markdown-it is set up by default.
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, highlight });
  const source = await readFile(join(docs, `${name}.md`), 'utf8');
  const tokens = markdown.parse(source, {});
  const { title, body } = withoutTitle(tokens);
  const sections = addHeadingIds(body);
  for (const token of body) for (const child of token.children ?? []) adaptLink(child);
  const html = markdown.renderer
    .render(body, markdown.options, {})
    // Wide tables and code scroll on their own, also by keyboard.
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
    .replaceAll('</pre>', '</pre></div>')
    .replace(/<(h[23]) id="([^"]+)">(.*?)<\/\1>/g, withAnchor);
  return {
    title,
    summary: summaryOf(tokens),
    sections: sections.map(({ id, title, level }) => ({ id, title, level })),
    passages: passagesOf(body, sections),
    html,
    markdown: adaptMarkdown(source),
  };
}

/** @typedef {import('markdown-it').Token} Token */

/** Takes the first heading out, which the frame of the page shows. */
function withoutTitle(/** @type {Token[]} */ tokens) {
  const start = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1');
  return { title: textOf(tokens[start + 1]), body: tokens.filter((_, index) => index < start || index > start + 2) };
}

/** A mark beside a heading that people can copy the address from. Those who hear the page have the menu of the page. */
function withAnchor(/** @type {string[]} */ ...[, tag, id, text]) {
  return `<${tag} id="${id}">${text} <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></${tag}>`;
}

/** What is written before the first heading and below each, without markup. */
function passagesOf(/** @type {Token[]} */ tokens, /** @type {Section[]} */ sections) {
  const passages = [{ id: '', title: '', text: '' }];
  tokens.forEach((token, index) => {
    const section = sections.find(({ at }) => at === index);
    if (section) passages.push({ id: section.id, title: section.title, text: '' });
    const isHeading = tokens[index - 1]?.type === 'heading_open';
    const text = token.type === 'inline' && !isHeading ? textOf(token) : token.type === 'fence' ? token.content : '';
    const last = passages.at(-1);
    if (last && text) last.text += `${last.text && ' '}${text.replace(/\s+/g, ' ').trim()}`;
  });
  return passages;
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

/** @typedef {{ at: number, id: string, title: string, level: number }} Section */

/** Gives headings the ids that GitHub gives them, so that links work in both places. Returns those of the first two levels. */
function addHeadingIds(/** @type {Token[]} */ tokens) {
  const seen = new Map();
  /** @type {Section[]} */
  const sections = [];
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return;
    const title = textOf(tokens[at + 1]);
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    const id = count > 0 ? `${slug}-${count}` : slug;
    token.attrSet('id', id);
    const level = Number(token.tag.slice(1));
    if (level <= 3) sections.push({ at, id, title, level });
  });
  return sections;
}

/** Links between pages lead to their addresses here. Files of the repository have none, so only their names are left. */
function adaptLink(/** @type {Token} */ token) {
  if (token.type === 'image') adaptImage(token);
  if (token.type !== 'link_open') return;
  const target = String(token.attrGet('href') ?? '');
  if (/^(https?:|#|\/)/.test(target)) return;
  const [, page, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (page && NAMES.includes(page)) token.attrSet('href', `/docs/guide/${page}${anchor}`);
  else token.attrs = (token.attrs ?? []).filter(([attribute]) => attribute !== 'href');
}

/** Pictures of docs/images, also as they look in the dark; of others, only the text is left. */
function adaptImage(/** @type {Token} */ token) {
  const [, name] = /^images\/([\w-]+)\.png$/.exec(String(token.attrGet('src') ?? '')) ?? [];
  if (!name) {
    Object.assign(token, { type: 'text' });
    return;
  }
  // The place that the picture takes is known before it is loaded, so that the text below does not move. Its size is at the start of the file.
  const header = readFileSync(join(docs, `images/${name}.png`)).subarray(16, 24);
  const size = `width="${header.readUInt32BE(0)}" height="${header.readUInt32BE(4)}"`;
  const dark = existsSync(join(docs, `images/${name}-dark.png`))
    ? `<source media="(prefers-color-scheme: dark)" srcset="/docs/images/${name}-dark.png">`
    : '';
  const alt = token.content.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const content = `<picture>${dark}<img src="/docs/images/${name}.png" alt="${alt}" ${size} loading="lazy"></picture>`;
  Object.assign(token, { type: 'html_inline', content });
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
