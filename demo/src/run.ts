import { PASSWORD } from './api-caller.ts';
import { startDemo } from './start-demo.ts';

const demo = await startDemo({ service: 4310, shop: 4311 });

process.stdout.write(`
  The shop is at      ${demo.shopUrl}
  The dashboard is at ${demo.serviceUrl}   (email: ${demo.email}, password: ${PASSWORD})

  The dashboard starts with a year of data. Open the shop, follow Jane's link, sign up, buy, get a refund, and see what the service records.
  Press Ctrl-C to stop both and delete all data.

`);

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  await demo.close();
  process.exit(0);
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
