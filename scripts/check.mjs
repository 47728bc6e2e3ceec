// Runs the checks side by side and prints the output of each when it ends. Fails if one of them fails.
import { spawn } from 'node:child_process';

const CHECKS = ['format', 'types', 'structure', 'unused', 'size'];

/** @param {string} name */
function runCheck(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', `check:${name}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('close', (code) => {
      process.stdout.write(`check:${name} ${code === 0 ? 'passed' : 'failed'}\n${code === 0 ? '' : output}`);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(CHECKS.map(runCheck));
process.exitCode = results.every(Boolean) ? 0 : 1;
