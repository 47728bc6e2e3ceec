// Runs the checks side by side and prints the output of each that fails. Fails if one of them fails.
import { spawn } from 'node:child_process';

/** Checks of one lane run one after another: looking for unused code needs what the types check compiles. */
const LANES = [['types', 'unused'], ['format'], ['structure', 'size']];

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

/** @param {string[]} lane */
async function runLane(lane) {
  let passed = true;
  for (const name of lane) passed = (await runCheck(name)) && passed;
  return passed;
}

const results = await Promise.all(LANES.map(runLane));
process.exitCode = results.every(Boolean) ? 0 : 1;
