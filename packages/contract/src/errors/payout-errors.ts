import { refuse, ServiceError } from './service-error.ts';

/** What a partner gets now that is not what the run says. */
export type RunDifference = {
  partner_id: number;
  partner_name: string;
  currency: string;
  amount_cents: number;
  now_cents: number | bigint;
  reason: 'balance_changed' | 'method_changed' | 'method_removed' | 'method_held' | 'partner_not_active';
};

/** Failures of payout runs and their settings. */
export const payoutErrors = {
  nobodyToPay: (leftOut: object[]) =>
    new ServiceError(409, 'Nobody would be paid, so no run was made. `left_out` says why.', {
      details: { left_out: leftOut },
    }),
  partnerOfOtherProgram: (field: string, partnerId: number) =>
    new ServiceError(400, `${field} names the partner ${partnerId}, who is not in this program`, { at: { field } }),
  runIs: (number: number, status: string, change: string) =>
    new ServiceError(409, `Payout run ${number} is ${status} and cannot be ${change}`),
  runChanged: (number: number, differences: RunDifference[]) =>
    new ServiceError(
      409,
      `Balances or payout methods have changed since payout run ${number} was made. It was not approved. Cancel it and make another.`,
      { details: { differences } },
    ),
  ownRun: refuse(403, 'You made this run. Someone else has to approve it.'),
  approvalNeedsPerson: refuse(403, 'This run has to be approved by a second person, who signs in with an account.'),
  runPartlyPaid: (number: number, count: number) =>
    new ServiceError(
      409,
      `${count} of the payouts of payout run ${number} ${count === 1 ? 'is' : 'are'} paid, so it cannot be cancelled. Mark it as sent, then the others as failed.`,
    ),
  nothingSent: (number: number) =>
    new ServiceError(409, `No payout of payout run ${number} is sent. Nothing was changed.`),
  payoutOfDraft: (number: number) =>
    new ServiceError(
      409,
      `The payout is part of payout run ${number}, which is not approved yet. Cancel the run instead.`,
    ),
  payoutOfRun: (number: number) =>
    new ServiceError(
      409,
      `The payout is part of payout run ${number}, and a file may hold it. Cancel the run while it is not sent, or mark the payout as failed afterwards.`,
    ),
  payoutNotSent: (number: number) =>
    new ServiceError(
      409,
      `A file of payout run ${number} holds the payout, and the run is not sent yet. Mark the run as sent first, or cancel it.`,
    ),
  notOfThisRun: (payoutId: number, number: number) =>
    new ServiceError(400, `Payout ${payoutId} is not part of payout run ${number}. Nothing was changed.`, {
      at: { field: 'payouts' },
    }),
  settledTwice: (payoutId: number) =>
    new ServiceError(400, `Payout ${payoutId} is in the list twice. Nothing was changed.`, {
      at: { field: 'payouts' },
    }),
  notSettleable: (payoutId: number, status: string, change: string) =>
    new ServiceError(409, `Payout ${payoutId} is ${status} and cannot become ${change}. Nothing was changed.`),
  runHasNoFiles: (number: number, status: string) =>
    new ServiceError(404, `Payout run ${number} is ${status} and has no files. They are made when it is approved.`),
  filesOfCancelledRun: (number: number) =>
    new ServiceError(
      404,
      `Payout run ${number} was cancelled. Its files can no longer be downloaded, because what they would pay is due again.`,
    ),
  noSuchFile: (name: string, files: string[]) =>
    new ServiceError(404, `This run has no such ${name}. It has ${files.join(', ')}.`),
  whichFile: (name: string, choices: string[]) =>
    new ServiceError(400, `This run has several ${name}. Choose one: ${choices.join(', ')}.`, {
      at: { field: 'currency' },
    }),
  reportUnreadable: (why: string) => new ServiceError(400, `The report cannot be read: ${why}`),
  reportOfOtherRun: (number: number) =>
    new ServiceError(409, `The report is not about payout run ${number}. Nothing was changed.`),
};
