import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Build } from '../shop/nodes.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MIGRATIONS = 'packages/server/src/db/migrations';
/** Releases that were built before are kept here, by commit. Deleting the folder is always safe. */
const CACHE = join(tmpdir(), 'svc-releases');

/** A build that nodes can be started from. */
export type Release = Build & { migrations: string[] };

/** The working tree, which `npm run test:upgrade` has built. */
export function workingTree(): Release {
  return releaseIn('working tree', ROOT);
}

/** Releases are built from git, so there has to be a clone. */
export function requireClone(): void {
  try {
    git('rev-parse', '--git-dir');
  } catch {
    throw new Error('Earlier releases are built from git: run this in a clone of the repository, with its history.');
  }
}

/** The commit before the newest migration was added: the release that this one has to work beside. */
export function findReleaseBefore(): string {
  const newest = readdirSync(join(ROOT, MIGRATIONS)).sort().at(-1);
  const added = git(
    'log',
    '--first-parent',
    '-m',
    '--diff-filter=A',
    '--format=%H',
    '-1',
    '--',
    `${MIGRATIONS}/${newest}`,
  );
  return findCommit(added === '' ? 'HEAD' : `${added}^1`);
}

/** What git calls a release: the tag of a version, or the tag or commit itself. */
export function revisionOf(release: string): string {
  return /^\d+\.\d+\.\d+$/.test(release) ? `v${release}` : release;
}

/** The full name of the commit of a release. Says so plainly if the clone does not contain it. */
export function findCommit(release: string): string {
  const name = revisionOf(release);
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  } catch {
    const made = findUntagged(name);
    if (made) return made;
    throw new Error(
      isShallow
        ? `This clone is shallow and does not contain ${name}. Run git fetch --unshallow --tags first.`
        : `There is no release or commit ${name} in this clone.`,
    );
  }
}

/** The commit that made a release, in a clone without its tag; empty if there is none. */
function findUntagged(tag: string): string {
  const version = /^v([\d.]+)$/.exec(tag)?.[1];
  if (!version) return '';
  return git('log', '--all', '-1', '--format=%H', '--extended-regexp', `--grep=^Release ${version}$`);
}

/** Builds a commit the way that commit says, once: builds are kept by commit. */
export function buildRelease(commit: string): Release {
  const folder = join(CACHE, commit);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${folder}.${process.pid}`;
    try {
      mkdirSync(unfinished);
      const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1 << 30 });
      run(unfinished, 'tar', ['-x'], archive);
      run(unfinished, 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund']);
      run(unfinished, 'npm', ['run', 'build']);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return releaseIn(commit.slice(0, 7), folder);
}

function releaseIn(name: string, folder: string): Release {
  const server = join(folder, 'packages/server');
  const { bin } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8')) as { bin: { 'svc-server': string } };
  const migrations = readdirSync(join(folder, MIGRATIONS)).sort();
  return { name, program: join(server, bin['svc-server']), migrations };
}

function run(cwd: string, program: string, args: string[], input?: Buffer): void {
  process.stderr.write(`${program} ${args.join(' ')}\n`);
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    input,
    stdio: ['pipe', 'ignore', 'pipe'],
    maxBuffer: 1 << 28,
  });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stderr.toString().slice(-2_000)}`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
