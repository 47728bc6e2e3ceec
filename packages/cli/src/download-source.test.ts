import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findDownloadSource } from './download-source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-source-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const COPY = 'node_modules/.pnpm/@svc+cli/node_modules/@svc/cli';

/** Where the command believes to come from when a project with this manifest has installed it. */
function sourceIn(manifest: string): string | undefined {
  mkdirSync(join(folder, COPY), { recursive: true });
  writeFileSync(join(folder, COPY, 'package.json'), '{"name":"@svc/cli"}');
  writeFileSync(join(folder, 'package.json'), manifest);
  return findDownloadSource(join(folder, COPY, 'svc.mjs'));
}

it.each([
  ['https://track.test/packages/cli.tgz', 'https://track.test'],
  ['https://acme.test/track/packages/cli-0.2.0-0123456789abcdef.tgz', 'https://acme.test/track'],
  ['http://localhost:4000/packages/cli.tgz', 'http://localhost:4000'],
])('the command comes from the service whose package the project depends on: %s', (address, service) => {
  expect(sourceIn(JSON.stringify({ dependencies: { '@svc/cli': address } }))).toBe(service);
  expect(sourceIn(JSON.stringify({ devDependencies: { '@svc/cli': address } }))).toBe(service);
});

it.each(['{}', 'no JSON', '{"dependencies":{"@svc/cli":"file:cli.tgz"}}', '{"dependencies":{"@svc/cli":"^0.2.0"}}'])(
  'nothing says where it comes from: %s',
  (manifest) => {
    expect(sourceIn(manifest)).toBeUndefined();
  },
);
