// The process of the load generator: it runs one plan, reports the result and exits.
import { generateLoad } from './generate.ts';
import type { LoadMessage, LoadPlan } from './plan.ts';

const report = (message: LoadMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, () => resolve());
  });

process.once('message', async (plan: LoadPlan) => {
  const result = await generateLoad(plan, () => void report({ is: 'measuring' }));
  await report({ is: 'done', result });
  process.disconnect();
});
