import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const namesIn = (folder: string) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
const PAGES = ['.', 'docs', 'docs/decisions', 'docs/design', 'examples'].flatMap(namesIn);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The name of a heading in a link, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('the links of the Markdown files', () => {
  it.each(PAGES)('lead to files and headings that exist: %s', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const file = path ? join(dirname(page), path) : page;
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('the records of decisions', () => {
  const records = namesIn('docs/decisions').filter((path) => !path.endsWith('README.md'));

  it('have at most 40 lines', () => {
    const tooLong = records.filter((path) => read(path).trimEnd().split('\n').length > 40);
    expect(tooLong).toEqual([]);
  });

  it('are all in the list, under their titles', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/^\| \[(\d+)\]\((.+)\) \| (.+) \|$/gm)];
    const titles = records.map((path) => /^# 0*(\d+)[.:] (.+)$/m.exec(read(path)) ?? []);
    expect(listed.map(([, number, file, title]) => [number, `docs/decisions/${file}`, title])).toEqual(
      titles.map(([, number, title], index) => [number, records[index], title]),
    );
  });
});

describe('the code in AGENTS.md', () => {
  const sources = readdirSync(join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/node_modules|dist/.test(path),
  );
  const blocks = [...read('AGENTS.md').matchAll(/^```tsx?\n\/\/ (.+)\n([\s\S]*?)^```/gm)];

  it.each(blocks.map(([, path = '', code = '']) => ({ path, code })))(
    'is from the sources: $path',
    ({ path, code }) => {
      const named = sources.filter((source) => basename(source) === basename(path));
      expect(named.filter((source) => read(join('packages', source)).includes(code))).toHaveLength(1);
    },
  );

  it('shows every kind of file', () => expect(blocks).toHaveLength(7));
});

describe('the tags of the tracker', () => {
  // The tracker takes every `data-svc-…` attribute for an option, so one that it does not know is as good as none.
  const options = [...read('packages/tracker/src/options.ts').matchAll(/^ {2}(\w+)\??:/gm)].map(
    ([, name = '']) => `data-svc-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  const shown = execFileSync('git', ['ls-files', 'README.md', 'docs', 'examples', 'demo', 'packages'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.(md|html|jsx?|tsx?|php|rb|py|go|template)$/.test(path) && !/\.test\.ts|\/test\//.test(path));
  const tags = shown.flatMap((path) =>
    [...read(path).matchAll(/<script\b[^>]*(?:svc-tracker|data-svc-program-id)[^>]*>/gi)].map(([tag]) => ({
      path,
      tag,
    })),
  );
  const attributesOf = (tag: string) => [...tag.matchAll(/\sdata-[\w-]+/g)].map(([name]) => name.trim());

  it('have the program, and only attributes that the tracker reads', () => {
    const wrong = tags.filter(({ tag }) => {
      const attributes = attributesOf(tag);
      return !attributes.includes('data-svc-program-id') || attributes.some((name) => !options.includes(name));
    });
    expect(wrong).toEqual([]);
    expect(new Set(tags.map(({ path }) => path)).size).toBeGreaterThan(15);
  });
});
