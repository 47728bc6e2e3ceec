import { refuse, ServiceError } from './service-error.ts';

/** What can go wrong with partners: their invitations, applications, join pages, notes and accounts. */
export const partnerErrors = {
  invitationGone: refuse(404, 'This invitation does not exist, was already used or has expired. Ask for a new one.'),
  invitationForOther: (address: string) =>
    new ServiceError(
      403,
      `This invitation is for ${address}. Sign in with that address, or ask for an open link that any account can accept.`,
    ),
  joiningClosed: refuse(404, 'This join link is no longer active. Ask the brand for a new one.'),
  partnerKnown: refuse(
    409,
    'The brand has already added a partner with your email address. Ask for a personal invitation link.',
  ),
  partnerJoinedItself: refuse(
    409,
    'A partner with this email has applied through the join link. Approve them under Partners.',
  ),
  nameShared: refuse(
    403,
    'This partner is in other programs too, which share the name, and this token is for one program. Change the name in the dashboard, or with a token for all programs.',
    'name',
  ),
  invitationShared: refuse(
    403,
    'This partner is in other programs too, which share the invitation, and this token is for one program. Use the dashboard, or a token for all programs.',
  ),
  externalIdTaken: refuse(409, 'external_id belongs to another partner of this program', 'external_id'),
  hasOtherExternalId: refuse(
    409,
    'The partner with this email has another external_id. Change it with PATCH first.',
    'external_id',
  ),
  joiningPaused: refuse(404, 'This program is paused and is not accepting new partners. Try again later.'),
  answerRequired: (question: string) =>
    new ServiceError(400, `answers: "${question}" needs an answer`, { at: { field: 'answers' } }),
  answerTooLong: (question: string, maxChars: number) =>
    new ServiceError(400, `answers: the answer to "${question}" must be at most ${maxChars} characters`, {
      at: { field: 'answers' },
    }),
  answerNotOffered: (question: string) =>
    new ServiceError(400, `answers: the answer to "${question}" must be one of its options`, {
      at: { field: 'answers' },
    }),
  agreementNotAccepted: (program: string) =>
    new ServiceError(400, `agreements: accept the agreement with ${program} to become a partner`, {
      at: { field: 'agreements' },
    }),
  agreementChanged: (program: string) =>
    new ServiceError(409, `The agreement with ${program} has changed in the meantime. Read and accept the new one.`),
  logoNotAnImage: refuse(400, 'image must be a PNG, JPEG or WebP file', 'image'),
  logoTooLarge: (width: number, height: number, max: number) =>
    new ServiceError(
      400,
      `image must be at most ${max} × ${max} pixels, and is ${width} × ${height}. Scale it down and upload it again.`,
      { at: { field: 'image' } },
    ),
  membershipEnded: refuse(409, 'You were removed from this program. Contact the brand if this is a mistake.'),
  secondPartner: refuse(409, 'This account already belongs to another partner of this brand'),
  partnerHasAccount: refuse(
    409,
    'This partner already has an account. Only a workspace owner can hand the partner over to another account.',
    'replace_account',
  ),
  partnerTaken: refuse(409, 'Another account has become this partner. Ask the brand for a new invitation.'),
  tooManyNotes: (max: number) =>
    new ServiceError(409, `There are ${max} notes about this partner, which is the most. Delete one first.`),
  tooManyCoupons: (max: number) =>
    new ServiceError(409, `This partner has ${max} coupon codes, which is the most. Use one of them.`),
  couponTaken: (code: string) =>
    new ServiceError(409, `The coupon code ${code} is already in use in this program`, { at: { field: 'code' } }),
  partnerNotActive: refuse(409, 'This partner is not active in the program. Restore or approve them first.'),
  payoutWaitOver: refuse(
    409,
    'There is nothing to lift: this program can already pay to the method of this partner, or the partner has none.',
  ),
  payoutMethodChanged: refuse(
    409,
    'The partner has changed the payout method in the meantime. Look at the new one, and ask the partner about it.',
    'usable_from',
  ),
  liftNeedsSecondFactor: refuse(
    403,
    'Only an owner with a second factor can lift the wait. Set one up under Account settings, then try again.',
  ),
  importBeingUndone: refuse(
    409,
    'The import of this source is being undone. Undo it again until it is done, then send the rows.',
    'source',
  ),
  partnerRequired: refuse(400, 'partner_id is required', 'partner_id'),
};
