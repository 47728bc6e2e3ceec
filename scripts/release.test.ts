import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { datedChangelog, release } from './release.mjs';
import { writeSums } from './release-artifacts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.9.0 (2026-01-01)\n\n- The first.\n';
const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`);
const MANIFESTS = ['.', 'bench', 'demo', 'rehearsals', ...packages].map((folder) => join(folder, 'package.json'));

let clone = '';
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
const read = (path: string) => readFileSync(join(clone, path), 'utf8');
const current: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const describeApi = (version: string) => `{"release":"${version}"}`;
const run = (version?: string, isDryRun = false) =>
  release(clone, { version, isDryRun, today: '2031-02-03', describeApi });

// A repository with the manifests of this one.
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-release-'));
  for (const path of [...MANIFESTS, 'package-lock.json']) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(ROOT, path), join(clone, path));
  }
  writeFileSync(join(clone, 'CHANGELOG.md'), CHANGELOG);
  mkdirSync(join(clone, 'docs'));
  writeFileSync(join(clone, 'docs/released-api.json'), describeApi(current));
  git('init', '--quiet');
  git('config', 'user.name', 'Robin');
  git('config', 'user.email', 'robin@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Start');
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

describe('a release', () => {
  it('sets the version everywhere, dates the changelog, commits and tags', () => {
    run('7.1.0');
    for (const path of MANIFESTS) {
      const { version, dependencies, devDependencies } = JSON.parse(read(path));
      const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => name.startsWith('@svc/'));
      expect([path, version, ...own.map(([, wanted]) => wanted)]).toEqual([path, '7.1.0', ...own.map(() => '7.1.0')]);
    }
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version, lock.packages['packages/server'].version]).toEqual(
      Array(3).fill('7.1.0'),
    );
    expect(lock.packages['packages/server'].dependencies['@svc/contract']).toBe('7.1.0');
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 7.1.0 (2031-02-03)\n\n### Added\n\n- Something.\n\n## 0.9.0 (2026-01-01)\n\n- The first.\n',
    );
    expect(read('docs/released-api.json')).toBe('{"release":"7.1.0"}');
    expect([git('log', '-1', '--format=%s'), git('cat-file', '-t', 'v7.1.0'), git('status', '--porcelain')]).toEqual([
      'Release 7.1.0',
      'tag',
      '',
    ]);
    expect(git('rev-parse', 'v7.1.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  });

  it('changes nothing but versions in the manifests and the lock file', () => {
    run('7.1.0');
    const changed =
      git('diff', '--unified=0', 'HEAD~1', 'HEAD', '--', '*.json', ':!docs').match(/^[+-](?![+-]).*$/gm) ?? [];
    expect(changed.filter((line) => !/^[+-]\s*"(version|@svc\/[a-z-]+)": "[\d.]+",?$/.test(line))).toEqual([]);
  });

  it('as a dry run says what it would do and changes nothing', () => {
    expect(run('7.1.0', true)).toEqual(expect.arrayContaining(['7.1.0 in packages/cli/package.json', 'tag v7.1.0']));
    expect([git('status', '--porcelain'), git('tag'), git('rev-list', '--count', 'HEAD')]).toEqual(['', '', '1']);
  });

  it('only tags what is dated and numbered already, and takes the next minor version after that', () => {
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      CHANGELOG.replace('## Unreleased', `## Unreleased\n\n## ${current} (2031-01-01)`),
    );
    git('commit', '--quiet', '--all', '--message', 'Prepare');
    expect(run()).toEqual([`tag v${current}`]);
    const [major, minor] = current.split('.').map(Number);
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('## Unreleased', '## Unreleased\n\n- More.'),
    );
    git('commit', '--quiet', '--all', '--message', 'More');
    expect(run(undefined, true)).toContain(`tag v${major}.${Number(minor) + 1}.0`);
  });

  it('that ended before it had all of its files is completed by running it again', () => {
    run('7.1.0');
    const released = git('rev-parse', 'HEAD');
    expect([run(), run('7.1.0')]).toEqual([[], []]);
    expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([released, 'v7.1.0']);
  });

  it.each([
    ['with changes that are not committed', '7.1.0', () => writeFileSync(join(clone, 'new.txt'), ''), /not committed/],
    ['of a version that exists', '7.1.0', () => git('tag', 'v7.1.0'), /exists already/],
    ['of an earlier version', '0.0.9', () => '', /before the current version/],
    ['of something else', 'soon', () => '', /not a version/],
  ])('is refused %s', (_when, version, prepare, message) => {
    prepare();
    expect(() => run(version)).toThrow(message);
  });
});

it('the checksums and their signature are checked as docs/releases.md says', () => {
  const [folder, key] = [join(clone, 'dist'), join(clone, 'key')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'svc-7.1.0.tar.gz'), 'an installation');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  expect(writeSums(folder, key)).toEqual(['SHA256SUMS', 'SHA256SUMS.sig', 'svc-7.1.0.tar.gz']);

  writeFileSync(join(folder, 'publisher-key'), `publisher ${readFileSync(`${key}.pub`, 'utf8')}`);
  const [verify = ''] = /^ssh-keygen -Y verify .*$/m.exec(readFileSync(join(ROOT, 'docs/releases.md'), 'utf8')) ?? [];
  const run = (command: string) => execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' });
  run(verify);
  run('sha256sum -c SHA256SUMS');
  writeFileSync(join(folder, 'svc-7.1.0.tar.gz'), 'another one');
  expect(() => run('sha256sum -c SHA256SUMS')).toThrow();
  writeFileSync(join(folder, 'SHA256SUMS'), '');
  expect(() => run(verify)).toThrow();
});

describe('the changelog', () => {
  it.each(['# Changelog\n', '## Unreleased\n', '## Unreleased\n\n## 0.9.0 (2026-01-01)\n\n- The first.\n'])(
    'needs something to release: %j',
    (text) => expect(() => datedChangelog(text, '1.0.0', '2031-02-03')).toThrow(),
  );

  it('of this repository has a section for the current version, and one for what comes', () => {
    const text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
    const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles[0]).toBe('Unreleased');
    expect(titles[1]).toMatch(new RegExp(`^${current.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`));
  });
});
