import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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
  root = writeFixture({
    'package-lock.json': '{}',
    'build.mjs': SCRIPT,
    'a/src/one.ts': 'one',
    'a/src/one.test.ts': 'test',
    'b/src/deeper/two.ts': 'two',
  });
  const silenced = vi.spyOn(console, 'error').mockReturnValue();
  return () => silenced.mockRestore();
});

describe('a build', () => {
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
    build();
    writeFileSync(path(file), 'changed');
    expect(runsOf(build)).toBe(expected);
    expect(runsOf(build)).toBe('');
  });

  it('notices a removed source and a missing output', () => {
    build();
    rmSync(path('a/src/one.ts'));
    expect(runsOf(build)).toBe('a.out');
    rmSync(path('b.out'));
    expect(runsOf(build)).toBe('b.out');
  });

  it.each(['fail', 'die'])(
    'that ends with %s stops there, and is repeated though the old output is still there',
    (how) => {
      build();
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
    build();
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
