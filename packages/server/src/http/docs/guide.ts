import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { escapeHtml } from '../../html.ts';
import { type Asset, prepareAsset } from '../assets/asset.ts';
import { page } from './page.ts';

type GuidePage = { title: string; sections: { id: string; title: string }[]; html: string; markdown: string };
type Guide = { groups: { title: string; names: string[] }[]; pages: Record<string, GuidePage> };

/** The pages of the guide by name, as they are served and as they were written, and the files that they use by path. */
export type BuiltGuide = {
  pages: Map<string, string>;
  sources: Map<string, Pick<GuidePage, 'title' | 'markdown'>>;
  files: Map<string, Asset>;
};

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  png: 'image/png',
};

/** Reads the guide as it was built from docs/. It is read when a page is first opened. */
export async function loadGuide(): Promise<BuiltGuide> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@svc/api-reference/package.json')), 'dist/guide');
  const guide: Guide = JSON.parse(
    await readFile(join(folder, 'guide.json'), 'utf8').catch((cause) => {
      throw new Error('The documentation is not built; run `npm run build`', { cause });
    }),
  );
  const images = (await readdir(join(folder, 'images'))).map((name) => `images/${name}`);
  const files = ['docs.css', 'geist.woff2', ...images].map(async (name): Promise<[string, Asset]> => {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    return [name, prepareAsset(await readFile(join(folder, name)), type, { compress: type.startsWith('text/') })];
  });
  return {
    pages: new Map(Object.keys(guide.pages).map((name) => [name, renderGuidePage(guide, name)])),
    sources: new Map(Object.entries(guide.pages)),
    files: new Map(await Promise.all(files)),
  };
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
