import { fingerprints } from '@svc/testkit/service/accounts.ts';
import { runOperator } from '@svc/testkit/service/processes/operator.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService();
const tomorrow = new Date(service.time.getTime() + 86_400_000).toISOString();

beforeAll(() => runOperator(service, 'setup', '--link', 'taken'));

describe('a command that fails says why in one line and changes nothing', () => {
  it.each<[args: [string, ...string[]], message: string]>([
    [['setup', '--commission-type', 'barter'], '--commission-type must be one of percent, fixed,'],
    [['setup', '--commission-rate', '0'], '--commission-rate must be a positive number'],
    [['setup', '--commission-rate', '-5'], '--commission-rate must be a positive number'],
    [['setup', '--commission-rate', '1.23456'], '--commission-rate must be a positive number'],
    [['setup', '--commission-rate', '9'.repeat(40)], '--commission-rate must be a positive number'],
    [['setup', '--link', 'taken'], 'short_link "taken" is taken. Choose another.'],
    [['regenerate-key', '--program', 'one'], '--program must be a whole number above 0'],
    [['regenerate-key', '--program', '999999'], 'There is no program 999999'],
    [['regenerate-key', '--program', '99999999999999999999'], '--program must be a whole number above 0'],
    [['require-rotation', '--program', '1', '--by', 'soon'], '--by must be a time in the future'],
    [['require-rotation', '--program', '1', '--by', '2020-01-01T00:00:00Z'], '--by must be a time in the future'],
    [['require-rotation', '--program', '999999', '--by', tomorrow], 'Program 999999 has no active API key'],
    [['explain', '--program', '1'], 'Give --transaction, --customer or --click'],
    [['explain', '--program', '-1', '--customer', 'a'], '--program must be a whole number above 0'],
    [['repair-owed', '--sale', 'first'], '--sale must be a whole number above 0'],
    [['replay-processor-events', '--program', '1', '--event', '7'], 'The program has no event 7'],
    [['apply-erasures', '--from', '/nowhere/list'], 'There is no file /nowhere/list.'],
    [['restore', '--from', '/nowhere/backup', '--erasures', '/nowhere/list'], 'There is no file /nowhere/list.'],
    [['no-such-command'], 'There is no command "no-such-command"'],
  ])('%j', async (args, message) => {
    const before = await fingerprints(service);
    const reply = await runOperator(service, ...args);
    expect(reply).toEqual({ ok: false, text: expect.stringContaining(message) });
    expect(reply.text).not.toContain('\n');
    expect(await fingerprints(service)).toEqual(before);
  });
});
