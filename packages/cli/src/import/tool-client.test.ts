import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeTool } from '../../test/fake-tools/fake-tool.ts';
import type { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { createToolClient } from './tool-client.ts';

async function open(answer: (path: string) => unknown, refusal?: Record<string, string>) {
  const isAllowed = ({ authorization }: { authorization?: string | undefined }) => authorization === 'Bearer right';
  const fake = await new FakeTool({
    isAllowed,
    answer: ({ path }) => answer(path),
    ...(refusal && { refusal }),
  }).open();
  onTestFinished(() => fake.close());
  return fake;
}

function client(fake: FakeTool, key = 'right', signal = new AbortController().signal) {
  const notes: string[] = [];
  const waited: number[] = [];
  const out = { note: (text: string) => void notes.push(text) } as unknown as Output;
  const wait = (async (ms: number) => void waited.push(ms)) as never;
  const access = {
    title: 'Tool',
    apiUrl: fake.url,
    limit: { requests: 1000, seconds: 30 },
    secrets: [{ env: 'TOOL_KEY', what: 'the key of the settings' }],
    headers: { Authorization: `Bearer ${key}` },
  };
  return { get: createToolClient(access, { out, signal, wait }).get, notes, waited };
}

describe('the API of another tool', () => {
  it('says which key is refused, and never shows it', async () => {
    const fake = await open(() => ({}));
    const { get } = client(fake, 'wrong-and-secret');
    const failure = (await get('/rows').catch((error) => error)) as Failure;
    expect(failure.message).toBe('Tool refused the key in TOOL_KEY (401).');
    expect(failure.parts.hint).toBe('Check TOOL_KEY: the key of the settings.');
    expect(JSON.stringify(failure)).not.toContain('wrong-and-secret');
  });

  it.each<[Record<string, string>, number]>([
    [{ 'Retry-After': '12' }, 12],
    [{ 'RateLimit-Reset': '7' }, 7],
    [{}, 30],
  ])('is given the pause that it asks for: %j', async (refusal, seconds) => {
    const fake = await open(() => ({ fine: true }), refusal);
    fake.refuseAfter = 0;
    const { get, notes, waited } = client(fake);
    expect(await get('/rows')).toEqual({ fine: true });
    expect(waited.reduce((sum, ms) => sum + ms, 0)).toBe(seconds * 1000);
    expect(notes[0]).toBe(`Tool asks for a pause. Going on in ${seconds} s.`);
    // The time that is left is shown every five seconds.
    expect(notes).toHaveLength(Math.ceil(seconds / 5));
  });

  it('is not waited for longer than a quarter of an hour', async () => {
    const fake = await open(() => ({}), { 'Retry-After': '901' });
    fake.refuseAfter = 0;
    await expect(client(fake).get('/rows')).rejects.toThrow('Tool takes no more requests for now (429).');
  });

  it('is asked again when it breaks, and has nothing where it answers 404', async () => {
    const fake = await open((path) => (path === '/rows' ? [1] : undefined));
    expect(await client(fake).get('/nothing')).toBeUndefined();
    fake.close();
    const { get, waited } = client(fake);
    await expect(get('/rows')).rejects.toThrow(/^Tool gave no answer/);
    expect(waited).toEqual([1000, 2000, 4000, 8000]);
  });
});
