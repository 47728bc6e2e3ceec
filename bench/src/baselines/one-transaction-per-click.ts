// Baseline (b): the same service on the same store, but with one transaction per click, over the whole pool.
import { createService } from '@svc/server/app';
import type { NewClick, RecordedClick } from '@svc/server/clicks/click';
import { insertClicks } from '@svc/server/clicks/click-store';
import { readConfig } from '@svc/server/config';

const config = readConfig(process.env);
const service = await createService(config);

async function insertAlone(click: NewClick): Promise<RecordedClick> {
  const [recorded] = await insertClicks(service.ctx.db, [click]);
  return recorded as RecordedClick;
}
// In place: the routes have the same object in contexts of their own.
Object.assign(service.ctx.clicks, { submit: insertAlone, waiting: () => 0 });

await service.http.listen({ port: config.port, host: config.host });
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));
