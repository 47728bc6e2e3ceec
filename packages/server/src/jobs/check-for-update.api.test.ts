import { newOwner } from '@svc/testkit/service/accounts.ts';
import { useReceiver } from '@svc/testkit/service/receiver.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { createCallOut } from '../outbound/call-out.ts';
import { RELEASE } from '../release.ts';
import { checkForUpdate } from './check-for-update.ts';

const service = useService();
const receiver = useReceiver();
const callOut = createCallOut(['127.0.0.1']);
afterAll(() => callOut.close());

const NEXT = '900.0.0';
const HOUR_MS = 3_600_000;

/** The job of a node, and what it was told last. */
function node(path: string) {
  const results: (string | null)[] = [];
  const job = checkForUpdate({ url: receiver.url(path), callOut, onResult: (newer) => results.push(newer) });
  return { run: () => job.run(service.ctx), last: () => results.at(-1) };
}

/** As if nobody had asked yet. */
const forget = () => service.sql('delete from update_checks');
const later = (hours: number) => {
  service.time = new Date(service.time.getTime() + hours * HOUR_MS);
};

describe('the check for a newer release', () => {
  it('asks once a day, whichever node does it, and says nothing about the installation', async () => {
    await forget();
    receiver.answer('/latest', { status: 200, body: JSON.stringify({ version: NEXT }) });
    const [one, other] = [node('/latest'), node('/latest')];
    const said = [await one.run(), await one.run(), await other.run()];
    expect(said).toEqual([
      `release ${NEXT} is available; this is ${RELEASE}`,
      null,
      `release ${NEXT} is available; this is ${RELEASE}`,
    ]);
    expect([one.last(), other.last()]).toEqual([NEXT, NEXT]);
    later(23);
    await Promise.all([one.run(), other.run()]);
    const [request, ...more] = receiver.at('/latest');
    expect(more).toEqual([]);
    const host = new URL(receiver.url('')).host;
    expect(request).toEqual({
      method: 'GET',
      path: '/latest',
      headers: { host, connection: 'keep-alive', accept: 'application/json' },
      body: '',
    });
    later(1);
    await Promise.all([one.run(), other.run()]);
    expect(receiver.at('/latest')).toHaveLength(2);
  });

  it('tells owners on their page, until the service is upgraded', async () => {
    await forget();
    const { token: key } = await newOwner(service);
    const shown = async () => (await service.call('GET', '/api/v1/manage/workspace', { key })).body.data.newer_release;
    expect(await shown()).toBeNull();
    receiver.answer('/newer', { status: 200, body: JSON.stringify({ version: NEXT }) });
    await node('/newer').run();
    expect(await shown()).toBe(NEXT);
    await forget();
    receiver.answer('/same', { status: 200, body: JSON.stringify({ version: RELEASE }) });
    const upgraded = node('/same');
    expect(await upgraded.run()).toBeNull();
    expect([upgraded.last(), await shown()]).toEqual([null, null]);
  });

  it.each([
    ['away', { status: 503, body: '' }],
    ['moved', { status: 302, headers: { location: 'http://127.0.0.1/' }, body: '' }],
    ['something else', { status: 200, body: '<html>' }],
  ])('does not fail when the answer is %s, and waits for the next day', async (name, reply) => {
    await forget();
    const path = `/${encodeURIComponent(name)}`;
    receiver.answer(path, reply);
    const { run, last } = node(path);
    expect([await run(), await run(), last()]).toEqual([null, null, null]);
    expect(receiver.at(path)).toHaveLength(1);
  });
});
