import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { type Answer, type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { type Severable, severable } from '@svc/testkit/service/stores/severable.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';

const REDIRECTED_WITHIN_MS = 250;
/** How long the service waits for the store. */
const WAITS_MS = 150;

// A machine that stalls delays what took a moment. What waits for the store is late every time.
const REPEATED = { timeout: 60_000, retry: 2 };
const TOKEN = 'a token for the metrics of tests';

let service: TestService;
let line: Severable;

// Each test has its own: connections that hung are still being replaced when the next test begins.
beforeEach(async () => {
  line = await severable(await newPostgres());
  service = new TestService();
  await service.open({ DATABASE_URL: line.url, SVC_METRICS_TOKEN: TOKEN }, { redirectMs: undefined });
});
afterEach(async () => {
  line.resume();
  await service.service?.close();
  await line.close();
});

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

/** Opens the short address. What a busy machine adds is left out: a timer that starts at the same time is as late as that. */
async function open(link: string): Promise<Answer & { tookMs: number }> {
  const from = performance.now();
  const passed = () => performance.now() - from;
  const late = sleep(WAITS_MS).then(() => passed() - WAITS_MS);
  const answer = await service.call('GET', `/r/${link}?utm=1`, { headers: { 'user-agent': CHROME } });
  const tookMs = passed();
  return { ...answer, tookMs: tookMs - (await late) };
}

const outcomes = async () => {
  const { text } = await service.call('GET', '/metrics', { key: TOKEN });
  return Object.fromEntries(
    [...text.matchAll(/svc_redirects_total\{outcome="(\w+)"\} (\d+)/g)].map(([, name, count]) => [name, Number(count)]),
  );
};

const untilReady = () =>
  eventually(
    () => service.call('GET', '/readyz'),
    ({ status }) => status === 200,
  );

/** How many clicks of the program were recorded by redirects. The tracker's come from elsewhere. */
async function redirected({ program }: TestProgram): Promise<number | undefined> {
  const [row] = await service.sql<{ count: number }>(
    'select count(*) from clicks where program_id = $1 and user_agent = $2',
    [program.id, CHROME],
  );
  return row?.count;
}

/** A program whose link is in memory. */
async function visited() {
  const made = await service.program();
  const isLedTo = (page: string) =>
    eventually(
      () => open(made.link),
      ({ headers }) => String(headers.location).startsWith(page) && String(headers.location).includes('svc_click_id='),
    );
  await isLedTo('https://acme.test/?');
  // Once this change is known, so are all before it. Each removes the link from memory.
  await service.sql(`update links set destination_url = 'https://acme.test/page' where short_link = $1`, [made.link]);
  await isLedTo('https://acme.test/page?');
  return { ...made, alone: `https://acme.test/page?utm=1&aff=${made.link}` };
}

it('while the store hangs, visitors are redirected within 250 ms with aff alone', REPEATED, async () => {
  const [on, unseen] = [await visited(), await service.program()];
  const before = await outcomes();
  line.hang();

  const answers: Awaited<ReturnType<typeof open>>[] = [];
  // One after the other, and many at once, the last ones behind a group that hangs.
  for (let visitor = 0; visitor < 5; visitor += 1) answers.push(await open(on.link));
  answers.push(...(await Promise.all(Array.from({ length: 50 }, () => open(on.link)))));
  // What is known about the link has expired by now, and cannot be loaded again.
  service.advance({ seconds: 3_600 });
  for (let visitor = 0; visitor < 5; visitor += 1) answers.push(await open(on.link));
  for (const { status, headers } of answers) expect([status, headers.location]).toEqual([302, on.alone]);
  const unknown = await open(unseen.link);
  expect([unknown.status, unknown.headers['retry-after'], unknown.text]).toEqual([
    503,
    '5',
    expect.stringContaining('<h1>Try again in a moment</h1>'),
  ]);
  expect(Math.max(...[...answers, unknown].map(({ tookMs }) => tookMs))).toBeLessThan(REDIRECTED_WITHIN_MS);

  line.resume();
  await untilReady();
  expect(await outcomes()).toMatchObject({
    missed: (before.missed ?? 0) + 60,
    unavailable: (before.unavailable ?? 0) + 1,
  });
});

it('a click that was missed while the store hung is there once the tracker reports it', REPEATED, async () => {
  const on = await visited();
  const visits = Number(await redirected(on));
  line.hang();
  // The first one's click is on its way to the store, and gets there late. The second one's waits behind it and is given up.
  expect((await open(on.link)).headers.location).toBe(on.alone);
  expect((await open(on.link)).headers.location).toBe(on.alone);
  line.resume();
  await eventually(
    () => redirected(on),
    (count) => count === visits + 1,
  );
  await untilReady();
  const before = await service.counts(on.program.id);
  const reported = await service.click({ affiliate_url: on.alone });
  expect(reported.body).toMatchObject({ success: true, partner_code: on.link });
  expect(await service.counts(on.program.id)).toEqual({
    ...before,
    clicks: (before.clicks ?? 0) + 1,
    customers: (before.customers ?? 0) + 1,
  });
  expect(await redirected(on)).toBe(visits + 1);
});

it('while the store is down, visitors of known links are redirected', REPEATED, async () => {
  const on = await visited();
  line.cut();
  service.advance({ seconds: 3_600 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => open(on.link)));
  for (const { status, headers, tookMs } of answers) {
    expect([status, headers.location]).toEqual([302, on.alone]);
    expect(tookMs).toBeLessThan(REDIRECTED_WITHIN_MS);
  }
});
