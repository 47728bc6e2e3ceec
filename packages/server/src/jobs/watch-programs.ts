import { updateAlerts } from '../alerts/update-alerts.ts';
import { processors } from '../payments/processors/processors.ts';
import type { Job } from './job.ts';

export const watchPrograms: Job = {
  name: 'watch-programs',
  everySeconds: 60,
  async run(ctx) {
    const { opened, closed } = await updateAlerts(ctx, (provider) => processors[provider].title);
    return opened + closed === 0 ? null : `opened ${opened} alerts, closed ${closed}`;
  },
};
