// The service, which archives what is due as soon as it gets SIGUSR2 instead of within the next six hours. With another SIGUSR2, it goes on
// without rests. It writes a line when it is done.
import { createService } from '@svc/server/app';
import { readConfig } from '@svc/server/config';
import { retireClicks } from '@svc/server/jobs/retire-clicks';
import { startJobs } from '@svc/server/jobs/run-jobs';

const config = readConfig(process.env);
const service = await createService(config);
const { clickRetention } = config;
if (!clickRetention) throw new Error('SVC_CLICK_RETENTION_MONTHS: required');

process.once('SIGUSR2', () => {
  const startedAt = performance.now();
  const say = (_job: string, result: string) =>
    process.stderr.write(`archive: ${result} after ${Math.round(performance.now() - startedAt)} ms\n`);
  const job = retireClicks(clickRetention);
  let isHurried = false;
  process.once('SIGUSR2', () => {
    isHurried = true;
  });
  const run: typeof job.run = (ctx, rest) => job.run(ctx, async () => (isHurried ? undefined : rest?.()));
  void startJobs(service.ctx, say, [{ ...job, run }], () => 0);
});
await service.http.listen({ port: config.port, host: config.host });
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));
