import { describe, expect, it } from 'vitest';
import { useBinary } from '../test/binary.ts';

const binary = useBinary();

describe('the bundled command', () => {
  it('prints help on stdout and exits with 0', async () => {
    const { code, stdout, stderr } = await binary.run(['--help']);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('Usage: svc [options] [command]'), '']);
  });

  it('exits with 2 for a wrong usage, with JSON on stdout and the message on stderr', async () => {
    const { code, json, stderr } = await binary.run(['fly', '--json']);
    expect([code, json.error.message]).toEqual([2, "unknown command 'fly'"]);
    expect(stderr).toBe("unknown command 'fly'\nRun `svc --help` for commands and options.\n");
  });

  it('exits with 1 and without a stack trace when the reader of its output has gone', async () => {
    const started = binary.start(['--help']);
    started.child.stdout?.destroy();
    expect(await started.ended).toMatchObject({ code: 1, stdout: '', stderr: '' });
  });
});
