import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorCodes, routeGroups } from '@svc/contract';
import { escapeHtml } from '../../html.ts';
import { type Asset, prepareAsset } from '../assets/asset.ts';
import { createGuideSearch, type GuideSearch, type Passage } from './guide-search.ts';
import { onceLoaded } from './once.ts';
import { page, searchForm } from './page.ts';

type Section = { id: string; title: string; level: number };
type GuidePage = {
  title: string;
  /** Its first sentence. */
  summary: string;
  sections: Section[];
  /** The text before the first section, without an id, and that of each section. */
  passages: { id: string; title: string; text: string }[];
  html: string;
  markdown: string;
};
type Guide = { groups: { title: string; names: string[] }[]; pages: Record<string, GuidePage> };

/** The pages of the guide by name, as HTML and as Markdown, and the files that documentation pages use by path. */
type BuiltGuide = {
  /** What one sees first: what there is to read. */
  home: string;
  pages: Map<string, string>;
  markdown: Map<string, string>;
  /** Their titles. */
  titles: Map<string, string>;
  /** What there is to read, for assistants that know only the address of the service. */
  index: string;
  files: Map<string, Asset>;
  /** Another page of the documentation, beside the menu of the guide. */
  frame(path: string, title: string, body: string, markdownPath?: string): string;
  search: GuideSearch;
};

/** Pages that are made from what this installation serves. They are part of the menu. */
const INSTALLED = [
  ['/docs', 'API reference'],
  ['/docs/errors', 'Errors'],
  ['/docs/tracker', 'Script tags'],
  ['/docs/payments', 'Checkout code'],
] as const;

/** The address in the examples of the guide. */
const EXAMPLE = { url: 'https://track.example.com', host: 'track.example.com' };

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
};

export type LoadGuide = () => Promise<BuiltGuide>;

/** Loads the guide when it is first needed, and again if that failed. */
export function createGuideLoader(baseUrl: string, version: string): LoadGuide {
  return onceLoaded(() => loadGuide(baseUrl, version));
}

/** Reads the guide of this release as it was built from docs/. The examples name this service. */
async function loadGuide(baseUrl: string, version: string): Promise<BuiltGuide> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@svc/api-reference/package.json')), 'dist/guide');
  const built = await readFile(join(folder, 'guide.json'), 'utf8').catch((cause) => {
    throw new Error('The documentation is not built; run `npm run build`', { cause });
  });
  const guide: Guide = JSON.parse(built, (_, value) =>
    typeof value === 'string'
      ? value.replaceAll(EXAMPLE.url, baseUrl).replaceAll(EXAMPLE.host, new URL(baseUrl).host)
      : value,
  );
  const images = (await readdir(join(folder, 'images'))).map((name) => `images/${name}`);
  const files = ['docs.css', 'docs.js', 'geist.woff2', ...images].map(async (name): Promise<[string, Asset]> => {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const body = await readFile(join(folder, name));
    return [name, await prepareAsset(body, type, { compress: type.startsWith('text/') })];
  });
  const names = Object.keys(guide.pages);
  const byName = <Value>(make: (name: string, page: GuidePage) => Value) =>
    new Map(names.map((name) => [name, make(name, guide.pages[name] as GuidePage)]));
  return {
    home: homeOf(guide, version),
    pages: byName((name, shown) => renderGuidePage(guide, name, shown, version)),
    markdown: byName((_, { markdown }) => markdown),
    titles: byName((_, { title }) => title),
    index: indexOf(guide, baseUrl),
    files: new Map(await Promise.all(files)),
    frame: (path, title, body, markdownPath) =>
      page(title, body, {
        menu: menuOf(guide, path, version),
        below: aboutOf(version, markdownPath),
        hasSearch: path !== '/docs/search',
      }),
    search: createGuideSearch(passagesOf(guide)),
  };
}

/** Pages that people look something up in. What explains something comes before them. */
const LOOKED_UP = new Set(['schema', 'rights', 'performance', 'glossary']);

/** Everything that can be found: the guide, the routes of the API and the error codes. */
function passagesOf({ pages }: Guide): Passage[] {
  const guide = Object.entries(pages).flatMap(([name, { title, passages }]) =>
    passages.map((passage) => ({
      href: `/docs/guide/${name}${passage.id && `#${passage.id}`}`,
      page: title,
      heading: passage.id ? passage.title : null,
      text: passage.text,
      weight: LOOKED_UP.has(name) ? 0.4 : 1,
    })),
  );
  const routes = routeGroups.flatMap(({ name, routes }) =>
    routes.map(({ method, path, summary, description }) => ({
      href: `/docs#tag/${name.toLowerCase().replaceAll(' ', '-')}/${method}${path.replace(/:(\w+)/g, '{$1}')}`,
      page: 'API reference',
      heading: summary,
      text: `${method} ${path} ${description ?? ''}`,
      weight: 0.4,
    })),
  );
  const errors = errorCodes.map(({ code, meaning, whatToDo }) => ({
    href: `/docs/errors#${code}`,
    page: 'Errors',
    heading: code,
    text: `${meaning} ${whatToDo}`,
  }));
  return [...guide, ...routes, ...errors];
}

/** In the form of https://llmstxt.org. */
function indexOf({ groups, pages }: Guide, baseUrl: string): string {
  const lists = groups.map(({ title, names }) => {
    const links = names.map(
      (name) => `- [${pages[name]?.title}](${baseUrl}/docs/guide/${name}.md): ${pages[name]?.summary}`,
    );
    return `## ${title}\n\n${links.join('\n')}\n`;
  });
  return `# svc

> Affiliate attribution: clicks of partners' links, signups, sales and refunds become commissions and payouts. This installation is at ${baseUrl}.

To add it to a project, run \`npx --yes ${baseUrl}/packages/cli.tgz init\` there: it writes .svc/AGENTS.md with the steps and code for that program.

${lists.join('\n')}
## For tools

- [API description](${baseUrl}/openapi.json): every route, as OpenAPI 3.1. [As YAML](${baseUrl}/openapi.yaml), and [as OpenAPI 3.0](${baseUrl}/openapi-3.0.json)
- [Packages](${baseUrl}/packages.json): the addresses of the npm packages of this release, with their hashes
- [Errors](${baseUrl}/docs/errors.md): what each error code means
- [Script tags](${baseUrl}/docs/tracker.md): the tags of the tracker and its package, with the addresses of this service
- [Checkout code](${baseUrl}/docs/payments.md): the addresses of webhooks and the code of every kind of checkout
- [MCP](${baseUrl}/mcp): tools for assistants, after signing in
`;
}

function renderGuidePage(guide: Guide, name: string, { title, html, sections }: GuidePage, version: string): string {
  const group = guide.groups.find(({ names }) => names.includes(name));
  return page(title, shortContentsOf(sections) + html, {
    menu: menuOf(guide, `/docs/guide/${name}`, version),
    contents: contentsOf(sections),
    above: `<p class="place">${group?.title}</p>\n`,
    below: turnsOf(guide, name) + aboutOf(version, `/docs/guide/${name}.md`),
  });
}

/** Quick starts first, then every page with what it is about. */
function homeOf(guide: Guide, version: string): string {
  const { groups, pages } = guide;
  const card = (name: string) =>
    `<li><a href="/docs/guide/${name}"><strong>${escapeHtml(pages[name]?.title ?? '')}</strong>
<span>${escapeHtml(pages[name]?.summary ?? '')}</span></a></li>`;
  const lists = groups.map(
    ({ title, names }) => `<h2>${title}</h2>\n<ul class="cards">${names.map(card).join('\n')}</ul>`,
  );
  return page(
    'Documentation',
    `<p class="lead">Clicks of partners’ links, signups, sales and refunds become commissions and payouts. Find out how, by role or by
subject.</p>
${searchForm('page')}
${lists.join('\n')}`,
    { menu: menuOf(guide, '/docs/guide', version), below: aboutOf(version), hasSearch: false },
  );
}

function menuOf({ groups, pages }: Guide, current: string, version: string): string {
  const link = (path: string, title: string) =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const lists = groups.map(({ title, names }) => ({
    title,
    links: names.map((name) => link(`/docs/guide/${name}`, pages[name]?.title ?? '')),
  }));
  const installed = { title: 'This installation', links: INSTALLED.map(([path, title]) => link(path, title)) };
  const shown = [...lists, installed].map(({ title, links }) => `<p>${title}</p>\n<ul>${links.join('')}</ul>`);
  return `<div class="side" id="menu" popover>
<button class="close" type="button" popovertarget="menu" popovertargetaction="hide">Close</button>
<nav class="menu" aria-label="Guide">
<a class="version" href="/docs/guide/releases">Version ${escapeHtml(version)}</a>
${shown.join('\n')}</nav>
</div>`;
}

function contentsOf(sections: Section[]): string {
  if (sections.length < 2) return '';
  return `<nav class="contents" aria-label="On this page"><p>On this page</p>\n${linksTo(sections)}</nav>`;
}

/** The same for windows that have no room beside the text. */
function shortContentsOf(sections: Section[]): string {
  return sections.length < 2
    ? ''
    : `<details class="short-contents"><summary>On this page</summary>${linksTo(sections)}</details>\n`;
}

/** Sections, and their parts where the page is not too long for it. */
function linksTo(sections: Section[]): string {
  const shown = sections.length > 24 ? sections.filter(({ level }) => level === 2) : sections;
  const links = shown.map(
    ({ id, title, level }) => `<li${level > 2 ? ' class="part"' : ''}><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  return `<ul>${links.join('')}</ul>`;
}

/** The pages before and after this one. */
function turnsOf({ groups, pages }: Guide, name: string): string {
  const names = groups.flatMap((group) => group.names);
  const at = names.indexOf(name);
  const turn = (to: string | undefined, rel: 'prev' | 'next', label: string) =>
    to === undefined
      ? ''
      : `<a rel="${rel}" href="/docs/guide/${to}"><span>${label}</span>${escapeHtml(pages[to]?.title ?? '')}</a>`;
  return `<nav class="turns" aria-label="Previous and next page">
${turn(names[at - 1], 'prev', 'Previous')}
${turn(names[at + 1], 'next', 'Next')}
</nav>
`;
}

function aboutOf(version: string, markdownPath?: string): string {
  const source = markdownPath === undefined ? '' : `\n<a href="${markdownPath}">This page as Markdown</a>`;
  return `<footer class="about"><span>These pages describe version ${escapeHtml(version)}.</span>
<a href="/docs/guide/releases">Docs of other versions</a>${source}</footer>
`;
}
