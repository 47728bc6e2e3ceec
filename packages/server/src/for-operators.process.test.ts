import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@svc/testkit';
import { useFolder } from '@svc/testkit/service/processes/folder.ts';
import { readQuickStart } from '@svc/testkit/service/walks/quick-start.ts';
import { Shell } from '@svc/testkit/service/walks/shell.ts';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const home = useFolder();

it('the quick start for operators works as it is written, from the start to a restored backup', async () => {
  const port = String(await freePort());
  const env = { HOME: home.path, PORT: port, SVC_DATA_DIR: `${home.path}/data`, NO_UPDATE_NOTIFIER: '1' };
  const [start, ...actions] = await readQuickStart('for-operators');
  expect(start).toEqual({ do: 'run', what: 'npm start', answer: null });
  // A group of processes of its own, as a terminal starts it: npm, the build and the service.
  const service = spawn('bash', ['-c', 'exec npm start 2>&1'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(service, 'close');
  const shell = new Shell({ cwd: ROOT, env });
  try {
    for (let printed = ''; !printed.includes('\n  Open '); ) printed += (await once(service.stdout, 'data'))[0];
    for (const action of actions) {
      if (action.do !== 'run') throw new Error(`The page has a step without a command: ${action.do} ${action.what}`);
      const printed = await shell.run(action.what.replaceAll('http://localhost:4000', `http://localhost:${port}`));
      if (action.answer) expect(printed).toContain(action.answer);
    }
    expect(actions).toHaveLength(5);
  } finally {
    shell.close();
    process.kill(-(service.pid ?? 0), 'SIGINT');
    await ended;
  }
});
