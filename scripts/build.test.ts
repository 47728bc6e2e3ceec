import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeOutdated } from '../packages/server/build.mjs';
import { runSteps } from './build.mjs';
import { writeFixture } from './fixture.ts';

/** Counts its runs in the file `runs` and writes its output, unless a file says to fail or to die before that. */
const SCRIPT = `
  import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
  appendFileSync('runs', process.argv[2]);
  if (existsSync('fail')) process.exit(3);
  if (existsSync('die')) process.kill(process.pid, 'SIGKILL');
  writeFileSync(process.argv[2], '');
`;
const step = (name: string) => ({
  title: `Building ${name}`,
  command: ['build.mjs', `${name}.out`],
  inputs: [`${name}/src`],
  outputs: [`${name}.out`],
});
const STEPS = { a: step('a'), b: step('b') };

const SOURCES = {
  'package-lock.json': '{}',
  'build.mjs': SCRIPT,
  'a/src/one.ts': 'one',
  'a/src/one.test.ts': 'test',
  'b/src/deeper/two.ts': 'two',
};

let root: string;
const path = (name: string) => join(root, name);
const build = () => runSteps(root, STEPS, ['a', 'b']);
const runs = () => (existsSync(path('runs')) ? readFileSync(path('runs'), 'utf8') : '');
/** What a build runs. */
function runsOf(work: () => boolean): string {
  rmSync(path('runs'), { force: true });
  work();
  return runs();
}

beforeEach(() => {
  root = writeFixture(SOURCES);
  const silenced = vi.spyOn(console, 'error').mockReturnValue();
  return () => silenced.mockRestore();
});

describe('a build', () => {
  // Built once and copied, because every step starts a process.
  const built = mkdtempSync(join(tmpdir(), 'svc-built-'));
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  /** Makes the tree one in which everything has been built. */
  function startBuilt(): void {
    if (readdirSync(built).length === 0) {
      build();
      cpSync(root, built, { recursive: true });
    } else {
      cpSync(built, root, { recursive: true });
    }
  }

  it('runs every step once, and nothing when nothing has changed', () => {
    expect(build()).toBe(true);
    expect(runs()).toBe('a.outb.out');
    expect(runsOf(build)).toBe('');
  });

  it.each([
    ['a source', 'b/src/deeper/two.ts', 'b.out'],
    ['a new file', 'a/src/new.ts', 'a.out'],
    ['the lock file', 'package-lock.json', 'a.outb.out'],
    ['a test', 'a/src/one.test.ts', ''],
  ])('after a change of %s runs what it affects', (_what, file, expected) => {
    startBuilt();
    writeFileSync(path(file), 'changed');
    expect(runsOf(build)).toBe(expected);
    expect(runsOf(build)).toBe('');
  });

  it('notices a removed source and a missing output', () => {
    startBuilt();
    rmSync(path('a/src/one.ts'));
    expect(runsOf(build)).toBe('a.out');
    rmSync(path('b.out'));
    expect(runsOf(build)).toBe('b.out');
  });

  it.each(['fail', 'die'])(
    'that ends with %s stops there, and is repeated though the old output is still there',
    (how) => {
      startBuilt();
      writeFileSync(path('a/src/one.ts'), 'changed');
      writeFileSync(path(how), '');
      expect(build()).toBe(false);
      expect(runsOf(build)).toBe('a.out');
      rmSync(path(how));
      expect(runsOf(build)).toBe('a.out');
      expect(runsOf(build)).toBe('');
    },
  );

  it('is repeated after an interruption even if the sources are changed back', () => {
    startBuilt();
    writeFileSync(path('a/src/one.ts'), 'changed');
    writeFileSync(path('die'), '');
    build();
    rmSync(path('die'));
    writeFileSync(path('a/src/one.ts'), 'one');
    expect(runsOf(build)).toBe('a.out');
  });

  it('builds the steps that are named, and no unknown one', () => {
    expect(runsOf(() => runSteps(root, STEPS, ['b']))).toBe('b.out');
    expect(() => runSteps(root, STEPS, ['c'])).toThrow('There is no build step "c"');
  });
});

describe('the folder of the bundled service', () => {
  const HOURS_MS = 3_600_000;
  let folder: string;

  /** A build that wrote these files some hours ago. */
  async function builtAgo(hours: number, ...names: string[]): Promise<string[]> {
    const at = (Date.now() - hours * HOURS_MS) / 1000;
    for (const name of names) {
      writeFileSync(join(folder, name), '');
      utimesSync(join(folder, name), at, at);
    }
    await removeOutdated(folder, names);
    return readdirSync(folder).filter((name) => name !== 'builds.json');
  }

  beforeEach(() => {
    folder = writeFixture({ 'server.js': '' });
  });

  it('holds the newest build and the one before, however old that is', async () => {
    await builtAgo(900, 'server.js', 'a-1.js');
    await builtAgo(800, 'server.js', 'a-2.js', 'b-1.js');
    expect(await builtAgo(2, 'server.js', 'a-3.js', 'b-1.js')).toEqual(['a-2.js', 'a-3.js', 'b-1.js', 'server.js']);
    // Building the same again replaces nothing.
    expect(await builtAgo(2, 'server.js', 'b-1.js', 'a-3.js')).toEqual(['a-2.js', 'a-3.js', 'b-1.js', 'server.js']);
  });

  it('also holds what was built within the last hour', async () => {
    await builtAgo(0.1, 'server.js', 'a-1.js');
    await builtAgo(0, 'server.js', 'a-2.js');
    expect(await builtAgo(0, 'server.js', 'a-3.js')).toEqual(['a-1.js', 'a-2.js', 'a-3.js', 'server.js']);
  });

  it('keeps what is there when it does not know which build that is from', async () => {
    writeFileSync(join(folder, 'a-0.js'), '');
    expect(await builtAgo(5, 'server.js', 'a-1.js')).toEqual(['a-0.js', 'a-1.js', 'server.js']);
  });
});
