import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newHome, useCommand } from '../../test/command.ts';
import { stateOf, theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const command = useCommand();
const service = theService();
let home = '';

beforeAll(async () => {
  home = await newHome(command);
  await signedIn(command, service, home);
});

const init = (cwd: string, ...args: string[]) =>
  command.run(['init', '--json', '--no-interactive', '--api-url', service.url, ...args], { home, cwd });
const file = (cwd: string, name: string) => readFile(join(cwd, name), 'utf8');
const keyIn = async (cwd: string) => /^SVC_API_KEY=(.*)$/m.exec(await file(cwd, '.svc/.env'))?.[1];
const programs = async () => (await command.run(['programs', '--json', '--api-url', service.url], { home })).json;

describe('svc init', () => {
  it('sends every flag, including cookie days, months and origins', async () => {
    const cwd = await command.folder();
    const terms = ['--name', 'Shop', '--domain', 'https://Shop.test/start', '--commission-type', 'recurring_fixed'];
    const more = ['--commission-rate', '7.5', '--cookie-days', '30', '--recurring-months', '12'];
    const origins = ['--origin', 'http://localhost:3000', '--origin', 'http://localhost:5173'];
    const { code, json } = await init(cwd, ...terms, ...more, ...origins);
    expect(code).toBe(0);
    expect(json).toMatchObject({ name: 'Shop', domain: 'shop.test' });
    const agents = await file(cwd, '.svc/AGENTS.md');
    expect(agents).toContain('| Commission | 7.5 USD recurring for 12 months |');
    expect(agents).toContain('30 days');
    expect(agents).toContain('`http://localhost:3000`, `http://localhost:5173`');
  });

  it('--relay gives the relay a path of its own, which stays until --no-relay', async () => {
    const cwd = await command.folder();
    const { code, json } = await init(cwd, ...TERMS, '--relay');
    expect(code).toBe(0);
    const path = json.relay_path as string;
    expect(path).toMatch(/^\/[0-9a-f]{8}$/);
    expect(await file(cwd, '.svc/.env')).toContain(`\nSVC_RELAY_PATH=${path}\n`);
    const agents = await file(cwd, '.svc/AGENTS.md');
    expect(agents).toContain(`This project uses a relay, under \`${path}\``);
    const id = json.program_id as number;
    expect(agents).toContain(`<script async src="${path}/js/svc-tracker-${id}.js" data-svc-program-id="${id}">`);
    expect(agents).toContain(`app.use('${path}', expressRelay());`);
    expect(agents).not.toContain('x7f3a9c2');

    const refreshed = await init(cwd, '--program', String(json.program_id));
    expect(refreshed.json.relay_path).toBe(path);
    const without = await init(cwd, '--program', String(json.program_id), '--no-relay');
    expect(without.json.relay_path).toBeUndefined();
    expect(await file(cwd, '.svc/.env')).toContain('\nSVC_RELAY_PATH=\n');
    expect(await file(cwd, '.svc/AGENTS.md')).not.toContain('@svc/node/relay');
  });

  it('does not replace a key, but warns about a second program and changes nothing', async () => {
    const cwd = await command.folder();
    const first = await init(cwd, ...TERMS);
    const before = [await file(cwd, '.svc/.env'), await programs()];
    const again = await init(cwd, ...TERMS);
    expect(again.code).toBe(1);
    expect(again.json.error).toMatchObject({
      code: 'second_program',
      message: `.svc/.env already holds the key for program ${first.json.program_id}: this would create a second program.`,
      hint: expect.stringContaining(`svc init --program ${first.json.program_id}`),
    });
    expect([await file(cwd, '.svc/.env'), await programs()]).toEqual(before);
  });

  it('--yes creates the second program, backs up the first key and adds the ignore entries once', async () => {
    const cwd = await command.folder();
    await writeFile(join(cwd, '.gitignore'), 'node_modules/');
    const first = await init(cwd, ...TERMS);
    const firstKey = await keyIn(cwd);
    const second = await init(cwd, ...TERMS, '--yes');
    expect(second.code).toBe(0);
    expect(second.json.program_id).not.toBe(first.json.program_id);
    expect(await keyIn(cwd)).not.toBe(firstKey);
    const backup = `.svc/.env.program-${first.json.program_id}`;
    expect(second.json.previous_key_file).toBe(backup);
    expect(await file(cwd, backup)).toContain(firstKey);
    expect((await stat(join(cwd, backup))).mode & 0o777).toBe(0o600);
    expect(await file(cwd, '.gitignore')).toBe('node_modules/\n.svc/.env\n.svc/.env.*\n!.svc/.env.example\n');
    expect((await readdir(join(cwd, '.svc'))).sort()).toEqual(
      ['.env', '.env.example', `.env.program-${first.json.program_id}`, 'AGENTS.md', 'skills.md'].sort(),
    );
  });

  it('--program refreshes the files of a program and keeps the key and other lines', async () => {
    const cwd = await command.folder();
    const { json } = await init(cwd, ...TERMS);
    await writeFile(join(cwd, '.svc/.env'), `${await file(cwd, '.svc/.env')}MINE=1\n`);
    const before = [await file(cwd, '.svc/.env'), await file(cwd, '.svc/AGENTS.md')];
    await writeFile(join(cwd, '.svc/AGENTS.md'), 'old');
    const refreshed = await init(cwd, '--program', String(json.program_id));
    expect(refreshed.json).toMatchObject({ program_id: json.program_id, has_key: true });
    expect([await file(cwd, '.svc/.env'), await file(cwd, '.svc/AGENTS.md')]).toEqual(before);
  });

  it('--program explains in another folder how to get a key, accepts the right key and refuses another', async () => {
    const first = await command.folder();
    const { json: made } = await init(first, ...TERMS);
    const other = await command.folder();
    await init(other, ...TERMS);
    const id = String(made.program_id);

    const empty = await command.folder();
    const without = await init(empty, '--program', id);
    expect(without.json).toMatchObject({ has_key: false });
    expect(without.stderr).toContain('SVC_API_KEY in .svc/.env is empty');
    expect(await keyIn(empty)).toBe('');

    const foreign = await init(empty, '--program', id, '--api-key', (await keyIn(other)) ?? '');
    expect(foreign.code).toBe(1);
    expect(foreign.json.error.message).toMatch(/^The key from --api-key belongs to program \d+, not to program \d+\.$/);

    const key = (await keyIn(first)) ?? '';
    expect((await init(empty, '--program', id, '--api-key', key)).json).toMatchObject({ has_key: true });
    expect(await keyIn(empty)).toBe(key);

    const refused = await init(other, '--program', id);
    expect(refused.json.error.code).toBe('other_program');
  });

  it('--program says what to do about a program of somebody else, and leaves nothing behind', async () => {
    const { json: made } = await init(await command.folder(), ...TERMS);
    const stranger = await newHome(command);
    const { email } = await signedIn(command, service, stranger);
    const cwd = await command.folder();
    const flags = ['--json', '--no-interactive', '--api-url', service.url];
    const { code, json } = await command.run(['init', '--program', String(made.program_id), ...flags], {
      home: stranger,
      cwd,
    });
    expect(code).toBe(1);
    expect(json.error).toMatchObject({
      status: 404,
      code: 'program_not_found',
      message: `Program ${made.program_id} does not exist, or your account (${email}) has no access to it.`,
      hint: expect.stringContaining('`svc programs`'),
    });
    expect(await readdir(cwd)).toEqual([]);
  });

  it('lists the missing flags in non-interactive mode', async () => {
    const { code, json, stderr } = await init(await command.folder(), '--name', 'Acme');
    expect(code).toBe(2);
    expect(json.error.message).toBe(
      'Missing input in non-interactive mode. Pass --domain, --commission-type, --commission-rate.',
    );
    expect(stderr).toContain(json.error.message);
  });

  it.each([
    [
      ['--commission-type', 'barter'],
      1,
      'Invalid commission_type: barter. Valid: percent, fixed, recurring_percent, recurring_fixed',
    ],
    [['--commission-rate', '-1'], 1, 'commission_rate must be a positive number'],
    [['--commission-rate', '101'], 1, 'commission_rate must be at most 100 for commission_type percent'],
    [['--commission-rate', 'much'], 2, '--commission-rate must be a number, not "much".'],
    [['--domain', 'not a domain'], 1, 'domain must be a host name, like example.com'],
    [['--cookie-days', '0'], 1, 'cookie_window_days must be a whole number from 1 to 3650'],
  ])('refuses %j with the service’s message', async (flags, code, message) => {
    const cwd = await command.folder();
    const refused = await init(cwd, ...TERMS, ...flags);
    expect([refused.code, refused.json.error.message]).toEqual([code, message]);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('creates no program if the files cannot be written', async () => {
    const cwd = await command.folder();
    await writeFile(join(cwd, '.svc'), 'in the way');
    const before = await programs();
    const { code, stderr } = await init(cwd, ...TERMS);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(await programs()).toEqual(before);
  });

  it('fails without a sign-in in non-interactive mode, instead of waiting', async () => {
    const stranger = await newHome(command);
    const cwd = await command.folder();
    await writeFile(join(cwd, '.gitignore'), 'node_modules/');
    const { code, json } = await command.run(
      ['init', '--json', '--no-interactive', '--api-url', service.url, ...TERMS],
      { home: stranger, cwd },
    );
    expect(code).toBe(1);
    expect(json.error).toMatchObject({ message: `Not signed in to ${service.url}.`, hint: 'Run `svc login` first.' });
    expect([await readdir(cwd), await file(cwd, '.gitignore')]).toEqual([['.gitignore'], 'node_modules/']);
  });

  it('signs in first in interactive mode, and continues', async () => {
    const stranger = await newHome(command);
    const person = await service.signUp();
    const started = command.start(['init', '--json', '--api-url', service.url, ...TERMS], {
      home: stranger,
      cwd: await command.folder(),
    });
    const [, authUrl = ''] = await started.says(/Sign in at\s+(\S+)/);
    await service.approve(person, stateOf(authUrl));
    const { code, json } = await started.ended;
    expect([code, json.name]).toEqual([0, 'Acme']);
  });
});
