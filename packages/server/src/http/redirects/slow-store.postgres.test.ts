import { eventually } from '@svc/testkit/service/eventually.ts';
import { type Answer, type TestProgram, TestService } from '@svc/testkit/service/service.ts';
import { type Severable, severable } from '@svc/testkit/service/stores/severable.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { untilChangesAreKnown } from '@svc/testkit/service/stores/until-changes-are-known.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';

const REDIRECTED_WITHIN_MS = 250;
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

async function open(link: string): Promise<Answer & { tookMs: number }> {
  const from = performance.now();
  const answer = await service.call('GET', `/r/${link}?utm=1`, { headers: { 'user-agent': CHROME } });
  return { ...answer, tookMs: performance.now() - from };
}

/** Opens the address until an answer is in time. A busy machine delays some of them; what waits for the store is late every time. */
async function openInTime(link: string): Promise<Awaited<ReturnType<typeof open>>[]> {
  const answers: Awaited<ReturnType<typeof open>>[] = [];
  const { tookMs } = await eventually(
    async () => {
      const answer = await open(link);
      answers.push(answer);
      return answer;
    },
    (answer) => answer.tookMs < REDIRECTED_WITHIN_MS,
  );
  expect(tookMs).toBeLessThan(REDIRECTED_WITHIN_MS);
  return answers;
}

const TICK_MS = 10;

/**
 * How long each of many visits at once waited. The clock ticks in the process of the service: while a busy machine holds that up,
 * it stands still, and what the service itself waits for is counted.
 */
async function waitsOf(count: number, link: string): Promise<{ answers: Answer[]; waitedMs: number[] }> {
  let ticks = 0;
  let timer: NodeJS.Timeout;
  const tick = () => {
    ticks += 1;
    timer = setTimeout(tick, TICK_MS);
  };
  timer = setTimeout(tick, TICK_MS);
  const visits = Array.from({ length: count }, async () => {
    const answer = await open(link);
    return { answer, waitedMs: ticks * TICK_MS };
  });
  const done = await Promise.all(visits).finally(() => clearTimeout(timer));
  return { answers: done.map(({ answer }) => answer), waitedMs: done.map(({ waitedMs }) => waitedMs) };
}

/** What nine of ten stay below. */
const mostOf = (values: number[]) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.9) - 1];

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
  await untilChangesAreKnown(service.ctx.db);
  // On a busy machine, the first visits may be too late for their click.
  const inMemory = ({ headers }: Answer) => /^https:\/\/acme\.test\/\?.*svc_click_id=/.test(String(headers.location));
  await eventually(() => open(made.link), inMemory);
  return { ...made, alone: `https://acme.test/?utm=1&aff=${made.link}` };
}

it('while the store hangs, visitors are redirected within 250 ms with aff alone', async () => {
  const [on, unseen] = [await visited(), await service.program()];
  const before = await outcomes();
  line.hang();

  const answers: Answer[] = await openInTime(on.link);
  // Many at once, the last ones behind a group that hangs.
  const many = await waitsOf(20, on.link);
  expect(mostOf(many.waitedMs)).toBeLessThan(REDIRECTED_WITHIN_MS);
  answers.push(...many.answers);
  // What is known about the link has expired by now, and cannot be loaded again.
  service.advance({ seconds: 3_600 });
  answers.push(...(await openInTime(on.link)));
  for (const { status, headers } of answers) expect([status, headers.location]).toEqual([302, on.alone]);
  const unknown = await openInTime(unseen.link);
  for (const { status, headers, text } of unknown) {
    const shown = expect.stringContaining('<h1>Try again in a moment</h1>');
    expect([status, headers['retry-after'], text]).toEqual([503, '5', shown]);
  }

  line.resume();
  await untilReady();
  expect(await outcomes()).toMatchObject({
    missed: (before.missed ?? 0) + answers.length,
    unavailable: (before.unavailable ?? 0) + unknown.length,
  });
});

it('while the store hangs, a link that is not in memory leads to the site of the only program', async () => {
  const made = await service.program();
  const node = new TestService();
  await node.open({ DATABASE_URL: line.url }, { redirectMs: undefined });
  try {
    const added = await service.partner(made.program);
    await untilChangesAreKnown(node.ctx.db);
    await eventually(async () => node.ctx.lookup.onlyProgram(), Boolean);
    line.hang();
    const { status, headers } = await node.call('GET', `/r/${added.link}?utm=1`, { headers: { 'user-agent': CHROME } });
    expect([status, headers.location]).toEqual([302, `https://acme.test/?utm=1&aff=${added.link}`]);
    // Who only asks where it leads gets no guess.
    const asked = await node.call('HEAD', `/r/${added.link}`);
    expect([asked.status, asked.headers['retry-after'], asked.headers.location]).toEqual([503, '5', undefined]);
  } finally {
    line.resume();
    await node.service.close();
  }
});

it('while the store hangs, a node that nobody has visited yet leads visitors on too, unless their link has just changed', async () => {
  const [on, changed] = [await service.program(), await service.program()];
  await service.sql('update links set destination_url = $2 where short_link = $1', [on.link, 'https://acme.test/new']);
  const node = new TestService();
  await node.open({ DATABASE_URL: line.url }, { redirectMs: undefined });
  try {
    await service.sql('update links set active = false where short_link = $1', [changed.link]);
    await untilChangesAreKnown(node.ctx.db);
    line.hang();
    const follow = async (link: string) => {
      const from = performance.now();
      const answer = await node.call('GET', `/r/${link}?utm=1`, { headers: { 'user-agent': CHROME } });
      return { ...answer, tookMs: performance.now() - from };
    };
    const { status, headers } = await eventually(
      () => follow(on.link),
      ({ tookMs }) => tookMs < REDIRECTED_WITHIN_MS,
    );
    expect([status, headers.location]).toEqual([302, `https://acme.test/new?utm=1&aff=${on.link}`]);
    expect((await follow(changed.link)).status).toBe(503);
  } finally {
    line.resume();
    await node.service.close();
  }
});

it('a click that was missed while the store hung is there once the tracker reports it', async () => {
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

it('while the store is down, visitors of known links are redirected', async () => {
  const on = await visited();
  line.cut();
  service.advance({ seconds: 3_600 });
  const { answers, waitedMs } = await waitsOf(20, on.link);
  expect(mostOf(waitedMs)).toBeLessThan(REDIRECTED_WITHIN_MS);
  answers.push(...(await openInTime(on.link)));
  for (const { status, headers } of answers) expect([status, headers.location]).toEqual([302, on.alone]);
});
