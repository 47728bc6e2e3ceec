import { deleteExpiredAddressLinks } from '../accounts/recovery/address-link-store.ts';
import { deleteOldDevices } from '../accounts/recovery/device-store.ts';
import { deleteOldCounts } from '../mail/mail-count-store.ts';
import { deleteOldMails } from '../mail/mail-store.ts';
import { addDays } from '../time.ts';
import type { Job } from './job.ts';

/** As long as a cause could come up a second time. */
const MAIL_DAYS = 90;
/** Devices that were not used for as long are new again. */
const DEVICE_DAYS = 180;
/** Used and expired links are kept for a while, so that a person who opens one reads why it does not work. */
const LINK_DAYS = 7;

/** Deletes mails that are finished, counts that are over, links that have expired, and devices that are no longer used. */
export const purgeMails: Job = {
  name: 'purge-mails',
  everySeconds: 3_600,
  async run(ctx) {
    await deleteExpiredAddressLinks(ctx.db, addDays(ctx.now(), -LINK_DAYS));
    await deleteOldDevices(ctx.db, addDays(ctx.now(), -DEVICE_DAYS));
    await deleteOldCounts(ctx.db, addDays(ctx.now(), -2));
    const deleted = await deleteOldMails(ctx.db, addDays(ctx.now(), -MAIL_DAYS));
    return deleted === 0 ? null : `deleted ${deleted} mails that were finished`;
  },
};
