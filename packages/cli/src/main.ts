#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { CANCELLED, FAILED } from './failure.ts';
import template from './instructions/AGENTS.md.template';
import { run } from './run.ts';

// The package holds its version and the URL of the service it was downloaded from.
const packageJson = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
  svc?: { apiUrl?: string };
};

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
  version: packageJson.version,
  downloadedFrom: packageJson.svc?.apiUrl,
  template,
  untilInterrupted: () => {
    endsInOrder = true;
    process.once('SIGTERM', () => interrupted.abort());
    return interrupted.signal;
  },
});
