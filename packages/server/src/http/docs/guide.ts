import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { escapeHtml } from '../../html.ts';
import { type Asset, prepareAsset } from '../assets/asset.ts';
import { page } from './page.ts';

type GuidePage = {
  title: string;
  /** Its first sentence. */
  summary: string;
  sections: { id: string; title: string }[];
  html: string;
  markdown: string;
};
type Guide = { groups: { title: string; names: string[] }[]; pages: Record<string, GuidePage> };

/** The pages of the guide by name, as HTML and as Markdown, and the files that documentation pages use by path. */
export type BuiltGuide = {
  pages: Map<string, string>;
  markdown: Map<string, string>;
  /** Their titles. */
  titles: Map<string, string>;
  /** What there is to read, for assistants that know only the address of the service. */
  index: string;
  files: Map<string, Asset>;
};

/** The address in the examples of the guide. */
const EXAMPLE = { url: 'https://track.example.com', host: 'track.example.com' };

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
};

/** Reads the guide as it was built from docs/. It is read when a page is first opened. The Markdown names this service. */
export async function loadGuide(baseUrl: string): Promise<BuiltGuide> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@svc/api-reference/package.json')), 'dist/guide');
  const guide: Guide = JSON.parse(
    await readFile(join(folder, 'guide.json'), 'utf8').catch((cause) => {
      throw new Error('The documentation is not built; run `npm run build`', { cause });
    }),
  );
  const images = (await readdir(join(folder, 'images'))).map((name) => `images/${name}`);
  const files = ['docs.css', 'geist.woff2', ...images].map(async (name): Promise<[string, Asset]> => {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const body = await readFile(join(folder, name));
    return [name, await prepareAsset(body, type, { compress: type.startsWith('text/') })];
  });
  return {
    pages: new Map(Object.keys(guide.pages).map((name) => [name, renderGuidePage(guide, name)])),
    markdown: new Map(
      Object.entries(guide.pages).map(([name, { markdown }]) => [
        name,
        markdown.replaceAll(EXAMPLE.url, baseUrl).replaceAll(EXAMPLE.host, new URL(baseUrl).host),
      ]),
    ),
    index: indexOf(guide, baseUrl),
    titles: new Map(Object.entries(guide.pages).map(([name, { title }]) => [name, title])),
    files: new Map(await Promise.all(files)),
  };
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
- [Errors](${baseUrl}/docs/errors): what each error code means
- [MCP](${baseUrl}/mcp): tools for assistants, after signing in
`;
}

function renderGuidePage(guide: Guide, name: string): string {
  const { title, html, sections } = guide.pages[name] as GuidePage;
  return page(title, html, 'Guide', { menu: menuOf(guide, name), contents: contentsOf(sections) });
}

function menuOf({ groups, pages }: Guide, current: string): string {
  const link = (name: string) =>
    `<li><a href="/docs/guide/${name}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(pages[name]?.title ?? '')}</a></li>`;
  const lists = groups.map(({ title, names }) => `<p>${title}</p>\n<ul>${names.map(link).join('')}</ul>`);
  return `<nav class="menu" aria-label="Guide">${lists.join('\n')}</nav>`;
}

function contentsOf(sections: GuidePage['sections']): string {
  if (sections.length < 2) return '';
  const links = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p>\n<ul>${links.join('')}</ul></nav>`;
}
