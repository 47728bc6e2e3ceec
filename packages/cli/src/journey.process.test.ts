import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useBinary } from '../test/binary.ts';
import { cleanEnv, newHome } from '../test/command.ts';
import { stateOf, theService } from '../test/service.ts';
import { TERMS } from '../test/signed-in.ts';
import { CTRL_C, DOWN, ENTER, noTerminal, openTerminal } from '../test/terminal.ts';

const binary = useBinary();
const service = theService();

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the journey to a verified integration', () => {
  it('works in --json mode, from sign-up to the test chain', async () => {
    const home = await newHome(binary);
    const cwd = await binary.folder();
    const browser = await fakeBrowser();
    const env = { SVC_API_URL: service.url, PATH: `${browser.folder}:${process.env.PATH}` };
    const person = await service.signUp('agent@example.com');

    const login = binary.start(['login', '--json'], { home, cwd, env });
    const [, authUrl = ''] = await login.says(/Sign in at\s+(\S+)/);
    await login.says(/Your code\s+[A-Z]{4}-[A-Z]{4}/);
    await service.approve(person, stateOf(authUrl));
    const signedIn = await login.ended;
    expect(signedIn.code).toBe(0);
    expect(signedIn.json).toMatchObject({ status: 'complete', email: 'agent@example.com', api_url: service.url });
    const credentials = join(home, '.svc/credentials.json');
    expect(await mode(credentials)).toBe('600');
    const { token } = JSON.parse(await readFile(credentials, 'utf8')).accounts[service.url];
    expect(token).toMatch(/^svc_at_/);
    expect(signedIn.stdout + signedIn.stderr).not.toContain(token);
    expect(await browser.wasOpened()).toBe(false);
    const withBrowser = binary.start(['login', '--json', '--browser'], { home, cwd, env });
    const [, secondUrl = ''] = await withBrowser.says(/Sign in at\s+(\S+)/);
    expect(await browser.opened()).toBe(secondUrl);
    withBrowser.child.kill('SIGINT');
    expect((await withBrowser.ended).code).toBe(130);

    const me = await binary.run(['whoami', '--json'], { home, cwd, env });
    expect(me.json).toMatchObject({ user: { email: 'agent@example.com' }, role: 'owner' });

    const init = await binary.run(['init', '--json', '--no-interactive', ...TERMS], { home, cwd, env });
    expect(init.stderr).toBe('');
    expect(init.code).toBe(0);
    expect(init.json).toMatchObject({ name: 'Acme', domain: 'acme.test', key_file: '.svc/.env' });
    expect(init.stdout).not.toContain('svc_key_');

    const file = (name: string) => readFile(join(cwd, name), 'utf8');
    const agents = await file('.svc/AGENTS.md');
    expect(await file('.svc/skills.md')).toBe(agents);
    for (const value of [
      `data-svc-program-id="${init.json.program_id}"`,
      'acme.test',
      '20% per sale',
      '60 days',
      service.url,
    ]) {
      expect(agents).toContain(value);
    }
    expect(agents).not.toMatch(/\{\{|svc_key_/);
    expect(await file('.svc/.env')).toMatch(
      new RegExp(
        `^SVC_API_KEY=svc_key_\\S+\\nSVC_PROGRAM_ID=${init.json.program_id}\\nSVC_API_URL=${service.url}\\nSVC_STRIPE_ACCOUNT_ID=\\n`,
        'm',
      ),
    );
    expect(await mode(join(cwd, '.svc/.env'))).toBe('600');
    expect(await file('.svc/.env.example')).toMatch(/^SVC_API_KEY=$/m);
    expect(await file('.svc/.env.example')).not.toContain('svc_key_');
    expect(await file('.gitignore')).toBe('.svc/.env\n.svc/.env.*\n!.svc/.env.example\n');

    // From here on, everything comes from .svc/.env, including the URL of the service.
    const before = await binary.run(['doctor', '--json'], { home, cwd });
    expect(before.code).toBe(1);
    expect(before.json.next_action).toContain('svc test chain');

    const chain = await binary.run(['test', 'chain', '--json'], { home, cwd });
    expect(chain.json).toMatchObject({
      type: 'chain',
      verdict: { click: 'attributed', lead: 'attributed', sale: 'attributed' },
      attributed: true,
      readiness: { state: 'ready', integration_verified: false },
    });
    expect(chain.code).toBe(0);

    const status = await binary.run(['status', '--json'], { home, cwd });
    expect(status.json).toMatchObject({ readiness: 'ready', recent_events: { clicks_24h: 0 } });
    const after = await binary.run(['doctor', '--json'], { home, cwd });
    // The chain proves the service. The site has not sent anything yet.
    expect(after.json).toMatchObject({ ok: false, readiness: { gates: { tracking: { status: 'unknown' } } } });
    expect(after.json.checks).toContainEqual({
      name: 'site',
      status: 'wait',
      message: 'nothing has arrived from acme.test or its server yet',
      next_action: expect.stringContaining('svc-test-'),
    });
    expect(after.code).toBe(1);

    const out = await binary.run(['logout', '--json'], { home, cwd });
    expect(out.json).toMatchObject({ signed_out: true });
    expect(JSON.parse(await readFile(credentials, 'utf8')).accounts).toEqual({});
    const refused = await fetch(`${service.url}/api/v1/cli/programs`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(401);
  });

  it.skipIf(noTerminal)('works in a terminal with prompts', async () => {
    const home = await newHome(binary);
    const cwd = await binary.folder('shop');
    const browser = await fakeBrowser();
    const env = { ...cleanEnv(home, { SVC_API_URL: service.url }), PATH: `${browser.folder}:${process.env.PATH}` };
    const svc = (...args: string[]) => openTerminal([process.execPath, binary.path, ...args], { cwd, env });
    const person = await service.signUp('person@example.com');

    const login = svc('login');
    const [, authUrl = ''] = await login.sees(/Sign in at\s+(\S+)/);
    await login.sees(/Your code\s+[A-Z]{4}-[A-Z]{4}/);
    await login.sees(/Waiting for the sign-in/);
    expect(await browser.opened()).toBe(authUrl);
    await service.approve(person, stateOf(authUrl));
    await login.sees(/Signed in to \S+ as person@example\.com/);
    expect((await login.ended).code).toBe(0);

    const init = svc('init');
    await init.sees(/Program name/);
    init.type(ENTER);
    await init.sees(/Domain of your site/);
    init.type(`not a domain${ENTER}`);
    await init.sees(/domain must be a host name/);
    init.type(`\x15shop.test${ENTER}`);
    await init.sees(/What do partners earn/);
    init.type(DOWN + DOWN + ENTER);
    await init.sees(/Commission in percent/);
    init.type(`30${ENTER}`);
    await init.sees(/30% recurring, 60-day cookie/);
    await init.sees(/svc test chain/);
    expect((await init.ended).code).toBe(0);
    const key = await readFile(join(cwd, '.svc/.env'), 'utf8');
    expect(key).toMatch(/^SVC_API_KEY=svc_key_/m);

    const again = svc('init');
    await again.sees(/would create a second program/);
    again.type(ENTER);
    await again.sees(/Refreshed the files/);
    expect((await again.ended).code).toBe(0);
    expect(await readFile(join(cwd, '.svc/.env'), 'utf8')).toBe(key);

    const chain = svc('test', 'chain');
    await chain.sees(/Readiness\s+ready/);
    expect((await chain.ended).code).toBe(0);

    const elsewhere = await binary.folder('elsewhere');
    await writeFile(join(elsewhere, 'package.json'), '{"dependencies":{"express":"^5.0.0"}}');
    const argv = [process.execPath, binary.path, 'init'];
    const other = openTerminal(argv, { cwd: elsewhere, env });
    await other.sees(/Which program is this project for/);
    other.type(DOWN + ENTER);
    await other.sees(/Should your Express server set the click cookie/);
    other.type(ENTER);
    await other.sees(/SVC_API_KEY in \.svc\/\.env is empty/);
    await other.sees(/Refreshed the files/);
    expect((await other.ended).code).toBe(0);
    const agents = await readFile(join(elsewhere, '.svc/AGENTS.md'), 'utf8');
    expect(agents).toContain('30% recurring');
    expect(agents).toContain('This project uses a relay, under');

    const stopped = svc('init');
    await stopped.sees(/would create a second program/);
    stopped.type(CTRL_C);
    expect((await stopped.ended).code).toBe(130);
    expect(await readFile(join(cwd, '.svc/.env'), 'utf8')).toBe(key);
  });
});

if (noTerminal) console.warn(`Skipped: the journey in a terminal, because ${noTerminal}.`);

/** A stand-in for the browser that records the URL it was asked to open. */
async function fakeBrowser() {
  const folder = await binary.folder('browser');
  for (const name of ['xdg-open', 'open']) {
    await writeFile(join(folder, name), `#!/bin/sh\nprintf %s "$1" > '${folder}/opened'\n`, { mode: 0o755 });
  }
  const opened = async () => {
    const read = () => readFile(join(folder, 'opened'), 'utf8').catch(() => '');
    await expect.poll(read).not.toBe('');
    return read();
  };
  const wasOpened = async () => (await readdir(folder)).includes('opened');
  return { folder, opened, wasOpened };
}
