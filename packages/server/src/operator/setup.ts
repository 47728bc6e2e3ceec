import { COMMISSION_TYPE_NAMES, email as emailAddress, isCommissionType, maxRate } from '@svc/contract';
import { invite } from '../accounts/workspaces/invite.ts';
import { insertWorkspace } from '../accounts/workspaces/workspace-store.ts';
import { OPERATOR } from '../audit/audit-store.ts';
import { addMember } from '../partners/add-partner.ts';
import { addLink } from '../partners/links/add-link.ts';
import { createProgramIn } from '../programs/create-program.ts';
import { OperatorError, type RunCommand } from './command.ts';

/** Creates what a first try needs: a program with its API key, a partner, a link, and an invitation for its owner. */
export const setup: RunCommand = async (ctx, options, baseUrl) => {
  const { name = '', domain = '', commissionType = '', commissionRate = '' } = options;
  if (!isCommissionType(commissionType)) {
    throw new OperatorError(`--commission-type must be one of ${COMMISSION_TYPE_NAMES.join(', ')}`);
  }
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(commissionRate) || Number(commissionRate) === 0) {
    throw new OperatorError('--commission-rate must be a positive number below 1000000000 with at most four decimals');
  }
  const max = maxRate(commissionType);
  if (Number(commissionRate) > max) {
    throw new OperatorError(`--commission-rate must be at most ${max} for --commission-type ${commissionType}`);
  }
  if (options.ownerEmail !== undefined && !emailAddress.safeParse(options.ownerEmail).success) {
    throw new OperatorError('--owner-email must be an email address');
  }
  const now = ctx.now();
  const { program, apiKey, partnerId, shortLink, token } = await ctx.db.transaction(async (tx) => {
    const workspaceId = await insertWorkspace(tx, name, now);
    const terms = { commissionType, commissionRate };
    const created = await createProgramIn(tx, { workspaceId, name, domain, ...terms }, OPERATOR, now);
    const programId = created.program.id;
    const partner = { name: options.partnerName ?? '', email: options.partnerEmail ?? '' };
    const { id: partnerId } = await addMember(tx, ctx, { ...partner, workspaceId, programId });
    const { shortLink } = await addLink(tx, created.program, { partnerId, shortLink: options.link }, now);
    const owner = { email: options.ownerEmail ?? '', openLink: options.ownerEmail === undefined, invitedBy: null };
    const { token } = await invite(tx, { ...owner, workspaceId, partnerId: null, role: 'owner' }, now);
    return { ...created, partnerId, shortLink, token };
  });
  const ids = { program_id: program.id, partner_id: partnerId, workspace_id: program.workspaceId };
  const inviteUrl = `${baseUrl}/invite#${token}`;
  return {
    data: { ...ids, api_key: apiKey, short_link: shortLink, domain, owner_invite_url: inviteUrl },
    text: firstSteps({
      programId: program.id,
      apiKey,
      shortLink,
      domain,
      baseUrl,
      inviteUrl,
      ownerEmail: options.ownerEmail,
    }),
  };
};

type FirstProgram = {
  programId: number;
  apiKey: string;
  shortLink: string;
  domain: string;
  baseUrl: string;
  inviteUrl: string;
  ownerEmail: string | undefined;
};

function firstSteps(first: FirstProgram): string {
  const { programId, apiKey, shortLink, domain, baseUrl, inviteUrl, ownerEmail } = first;
  const forWhom = ownerEmail ? `for ${ownerEmail}` : 'for the first person to accept it';
  return `Program ${programId} is ready. Its API key is shown only once:

  export SVC_API_KEY=${apiKey}

Become its owner in the dashboard. The link works once, within seven days, ${forWhom}:

  ${inviteUrl}

A visitor follows the partner's link (copy the click_id from the response):

  curl -s ${baseUrl}/api/v1/track/click -H 'Content-Type: application/json' \\
    -d '{"affiliate_url":"https://${domain}/?aff=${shortLink}"}'

They sign up as user_1, pay 49.00, and get a refund of 10.00:

  curl -s ${baseUrl}/api/v1/track/lead -H "Authorization: Bearer $SVC_API_KEY" -H 'Content-Type: application/json' \\
    -d '{"click_id":"<click_id>","customer_key":"user_1"}'
  curl -s ${baseUrl}/api/v1/track/sale -H "Authorization: Bearer $SVC_API_KEY" -H 'Content-Type: application/json' \\
    -d '{"transaction_id":"order_1","customer_key":"user_1","amount_cents":4900,"currency":"USD"}'
  curl -s ${baseUrl}/api/v1/track/refund -H "Authorization: Bearer $SVC_API_KEY" -H 'Content-Type: application/json' \\
    -d '{"transaction_id":"order_1","refund_amount_cents":1000}'

See what was decided and why:

  npm run operator -- explain --program ${programId} --transaction order_1`;
}
