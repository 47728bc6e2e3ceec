#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findDownloadSource } from './download-source.ts';
import { CANCELLED, FAILED } from './failure.ts';
import template from './instructions/AGENTS.md.template';
import { run } from './run.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

const interrupted = new AbortController();
let endsInOrder = false;
process.on('SIGINT', () => {
  if (!endsInOrder || interrupted.signal.aborted) process.exit(CANCELLED);
  interrupted.abort();
});
// The reader closed the pipe, as `| head` does.
process.stdout.on('error', () => process.exit(FAILED));
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(FAILED);
});

process.exitCode = await run({
  argv: process.argv.slice(2),
  script: process.argv[1] ?? '',
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  version,
  downloadedFrom: findDownloadSource(fileURLToPath(import.meta.url)),
  template,
  untilInterrupted: () => {
    endsInOrder = true;
    process.once('SIGTERM', () => interrupted.abort());
    return interrupted.signal;
  },
});
