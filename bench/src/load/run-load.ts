import { startWorker } from '../processes.ts';
import type { LoadMessage, LoadPlan, LoadResult } from './plan.ts';

/** Runs the plan in a separate process. `onMeasuring` is called when the warm-up is over. */
export function runLoad(plan: LoadPlan, onMeasuring: () => void = () => {}): Promise<LoadResult> {
  const worker = startWorker(new URL('./generator.js', import.meta.url));
  return new Promise((resolve, reject) => {
    worker.on('message', (message: LoadMessage) => {
      if (message.is === 'measuring') onMeasuring();
      else resolve(message.result);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The load generator exited with ${code}`)));
    worker.send(plan);
  });
}
