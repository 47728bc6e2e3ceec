import { disableFailing } from '../webhooks/disable-failing.ts';
import type { Job } from './job.ts';

export const disableFailingWebhooks: Job = {
  name: 'disable-failing-webhooks',
  everySeconds: 300,
  async run(ctx) {
    const { warned, disabled } = await disableFailing(ctx);
    return warned + disabled === 0 ? null : `warned about ${warned} webhook endpoints, disabled ${disabled}`;
  },
};
