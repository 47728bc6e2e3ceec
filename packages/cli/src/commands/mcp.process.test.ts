import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { useBinary } from '../../test/binary.ts';
import { cleanEnv, newHome, useCommand } from '../../test/command.ts';
import { theService } from '../../test/service.ts';
import { signedIn, TERMS } from '../../test/signed-in.ts';

const binary = useBinary();
const command = useCommand();
const service = theService();
let home = '';

beforeAll(async () => {
  home = await newHome(command);
  await signedIn(command, service, home);
});

describe('svc mcp', () => {
  it('offers the tools of the service over stdin and stdout, with the sign-in of the terminal', async () => {
    const flags = ['--json', '--no-interactive', '--api-url', service.url];
    const made = await command.run(['init', ...flags, ...TERMS], { home, cwd: await command.folder() });
    const { program_id } = made.json;
    const client = new Client({ name: 'tests', version: '1.0.0' });
    const args = [binary.path, 'mcp', '--api-url', service.url];
    const transport = new StdioClientTransport({ command: process.execPath, args, env: cleanEnv(home, {}) });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['explain', 'readiness', 'add_partner']));
    const call = async (name: string, sent: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: sent })).structuredContent as { result: Record<string, unknown> };
    expect((await call('list_programs', {})).result).toMatchObject({ programs: [{ id: program_id, name: 'Acme' }] });
    const origins = { program_id, origins: ['http://localhost:3000'] };
    const { plan_token } = (await call('add_origins', origins)).result;
    expect((await call('add_origins', { ...origins, plan_token })).result).toMatchObject({
      reply: { data: { allowed_origins: ['http://localhost:3000'] } },
    });
    await client.close();
  });

  it('exits with 1 and a hint when nobody is signed in', async () => {
    const args = ['mcp', '--api-url', service.url];
    const { code, stdout, stderr } = await binary.run(args, { home: await newHome(binary) });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Run `svc login`.');
  });
});
