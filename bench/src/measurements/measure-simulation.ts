import { setTimeout as sleep } from 'node:timers/promises';
import type { TermsRule } from '@svc/contract';
import { copySales } from '@svc/demo/seed/copy-sales';
import { createIds, post, sendBatch } from '../load/send-sales.ts';
import type { Options } from '../options.ts';
import { type Running, startService } from '../service.ts';
import type { BenchStore } from '../store.ts';
import { createTermsProgram, type TermsProgram } from './terms-program.ts';

export const SIMULATED_SALES = 100_000;
const REPORTED = 1_000;
const BUYERS = 20_000;
const RUNS = 5;
const DAY_MS = 86_400_000;

/** The seconds of each simulation, and the longest that another request waited meanwhile. */
export type Simulated = { seconds: number[]; slowestOtherMs: number };

/** Times how long the service takes to simulate rules for 100,000 sales that the same rules were applied to. */
export async function measureSimulation(
  store: BenchStore,
  rules: TermsRule[],
  { profileDir }: Options,
  print: (line: string) => void,
): Promise<Simulated> {
  const program = await prepareSales(store, rules);
  const service = await startService(store, profileDir);
  const result: Simulated = { seconds: [], slowestOtherMs: 0 };
  // The first one warms everything up and does not count.
  for (let run = 0; run <= RUNS; run += 1) {
    const others = watchOthers(service);
    const startedAt = performance.now();
    await simulate(service, program, rules);
    const seconds = (performance.now() - startedAt) / 1_000;
    const slowestMs = await others.stop();
    print(`${store.kind}: simulated in ${seconds.toFixed(2)} s; another request took up to ${slowestMs.toFixed(0)} ms`);
    if (run === 0) continue;
    result.seconds.push(seconds);
    result.slowestOtherMs = Math.max(result.slowestOtherMs, slowestMs);
  }
  await service.stop();
  return result;
}

/** Reports a thousand sales and copies them. */
async function prepareSales(store: BenchStore, rules: TermsRule[]): Promise<TermsProgram> {
  const program = await createTermsProgram(store, BUYERS);
  const service = await startService(store);
  await post(service, program.termsPath, program.token, { rules });
  await sendBatch({ service, apiKey: program.apiKey, buyers: REPORTED, nextId: createIds('copied') }, REPORTED);
  await service.stop();
  const copies = { times: SIMULATED_SALES / REPORTED - 1, buyersPerCopy: REPORTED, buyers: BUYERS };
  await store.withDb((db) => copySales(db, program.id, copies));
  return program;
}

type Reply = { matches_actual: boolean; sales: number };

async function simulate(service: Running, program: TermsProgram, rules: TermsRule[]): Promise<void> {
  const [from, to] = [Date.now() - 365 * DAY_MS, Date.now() + DAY_MS].map((time) => new Date(time).toISOString());
  const answer = await post<Reply>(service, `${program.termsPath}/simulate`, program.token, { rules, from, to });
  if (!answer.matches_actual) throw new Error('The simulation does not give the stored commissions');
  if (answer.sales !== SIMULATED_SALES) throw new Error(`${answer.sales} sales were simulated`);
}

/** Asks the service whether it is ready, which asks its store, again and again. */
function watchOthers({ url }: Running) {
  let isDone = false;
  let slowestMs = 0;
  const watch = async () => {
    while (!isDone) {
      const startedAt = performance.now();
      await (await fetch(`${url}/readyz`)).text();
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      await sleep(20);
    }
    return slowestMs;
  };
  const watching = watch();
  return {
    stop() {
      isDone = true;
      return watching;
    },
  };
}
