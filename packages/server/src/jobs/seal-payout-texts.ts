import { sealPayoutTexts as sealTexts } from '../accounts/payout-method/seal-payout-texts.ts';
import { jobActor } from '../audit/audit-store.ts';
import type { Encryption } from '../encryption.ts';
import type { Job } from './job.ts';

const NAME = 'seal-payout-texts';

/** Encrypts what partners entered as payout details, as a payout method. Until 0.4.0: earlier releases store it as text. */
export function sealPayoutTexts(encryption: Encryption): Job {
  return {
    name: NAME,
    everySeconds: 60,
    async run(ctx) {
      const sealed = await sealTexts({ ...ctx, encryption }, jobActor(NAME));
      return sealed === 0 ? null : `sealed the payout details of ${sealed} accounts`;
    },
  };
}
