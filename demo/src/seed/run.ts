import { parseArgs } from 'node:util';
import { wholeNumber } from '@svc/testkit';
import { seed } from './seed.ts';

const USAGE = `npm run seed -- [options]
  --clicks <n>     number of clicks over the last twelve months (100000)
  --customers <n>  number of customers (a twentieth of the clicks)
  --data <folder>  data folder of the embedded store (SVC_DATA_DIR, or ./data); set DATABASE_URL for a Postgres instead`;

try {
  const { values } = parseArgs({
    options: {
      clicks: { type: 'string', default: '100000' },
      customers: { type: 'string' },
      data: { type: 'string' },
    },
  });
  const clicks = wholeNumber('--clicks', values.clicks, 100_000_000);
  const customers = wholeNumber('--customers', values.customers ?? String(Math.ceil(clicks / 20)), clicks);
  const env = { ...process.env, ...(values.data && { SVC_DATA_DIR: values.data }) };
  const { owner, partner } = await seed(env, { clicks, customers }, (line) => process.stderr.write(`${line}\n`));
  const start = values.data ? `SVC_DATA_DIR=${values.data} npm start` : 'npm start';
  process.stdout.write(`
Start the service with \`${start}\`, then sign in as

  the brand    ${owner.email}    ${owner.password}
  a partner    ${partner.email}    ${partner.password}
`);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exit(1);
}
