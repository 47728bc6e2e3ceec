import { type RouteDefinition, routes } from '@svc/contract';
import {
  fingerprints,
  manage,
  newAccount,
  newOwner,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
  type TestAccount,
} from '@svc/testkit/service/accounts.ts';
import { bulkActionIdOf } from '@svc/testkit/service/routes/requests/bulk-actions.ts';
import { customerIdOf, customerKeyOf } from '@svc/testkit/service/routes/requests/commissions.ts';
import { creativeIdOf } from '@svc/testkit/service/routes/requests/creatives.ts';
import { couponIdOf, linkIdOf } from '@svc/testkit/service/routes/requests/links.ts';
import { messageIdOf } from '@svc/testkit/service/routes/requests/messages.ts';
import { openPayout, runIdOf } from '@svc/testkit/service/routes/requests/payouts.ts';
import { processorEventIdOf, processorSecretIdOf } from '@svc/testkit/service/routes/requests/processors.ts';
import { domainIdOf } from '@svc/testkit/service/routes/requests/programs.ts';
import { groupIdOf } from '@svc/testkit/service/routes/requests/terms.ts';
import { type ValidRequest, validRequest } from '@svc/testkit/service/routes/valid-request.ts';
import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const INNER_ID =
  /:((partner|group|link|creative|message|domain|coupon|sale|transaction|commission|customer|payout|run|processor_event|processor_secret|bulk_action)_id|customer_key)/;
const ofPrograms = routes.filter(({ path, auth }) => path.includes(':program_id') && auth === 'account');
/** The tests of rights call every route as an owner and an account from elsewhere, with ids of programs that do not exist too. */
const triedOfPrograms = ofPrograms.filter(
  ({ id }) => process.env.SVC_TEST_LONG || ['manageProgram', 'manageUpdateLink', 'manageAddPartner'].includes(id),
);
const withInnerId = ofPrograms.filter(({ path }) => INNER_ID.test(path));

/** Another workspace with something of everything that a request could try to reach. */
async function otherWorkspace() {
  const made = await ownedProgram(service);
  return { ...made, ...(await innerIds(made)) };
}

async function innerIds(made: TestProgram) {
  const { saleId, transactionId, commissionId } = await sold(service, made);
  return {
    saleId,
    transactionId,
    commissionId: Number(commissionId),
    customerKey: await customerKeyOf(service, made),
    partnerId: made.partnerId,
    groupId: await groupIdOf(service, made),
    linkId: await linkIdOf(service, made),
    domainId: await domainIdOf(service, made),
    couponId: await couponIdOf(service, made),
    messageId: await messageIdOf(service, made),
    creativeId: await creativeIdOf(service, made),
    customerId: await customerIdOf(service, made),
    payoutId: await openPayout(service, made),
    runId: await runIdOf(service, 'managePayoutRun', made),
    eventId: await processorEventIdOf(service, made),
    secretId: await processorSecretIdOf(service, made),
    bulkActionId: await bulkActionIdOf(service, made),
  };
}

it('there are management routes to check, including some with ids inside a program', () => {
  expect(ofPrograms.length).toBeGreaterThanOrEqual(41);
  expect(withInnerId.map(({ id }) => id).sort()).toEqual([
    'manageAddPartnerNote',
    'manageApprove',
    'manageApprovePayoutRun',
    'manageAssignCustomer',
    'manageBulkActionRows',
    'manageCancelPayout',
    'manageCancelPayoutRun',
    'manageCommission',
    'manageCoupon',
    'manageCreativeFile',
    'manageCustomer',
    'manageCustomerByKey',
    'manageDeleteCreative',
    'manageDeleteDomain',
    'manageDeleteGroup',
    'manageDeleteLink',
    'manageDeletePartnerNote',
    'manageEraseCustomer',
    'manageExportBulkActionRows',
    'manageExportCustomer',
    'manageInvitePartner',
    'manageLiftPayoutWait',
    'manageLink',
    'manageMarkFailed',
    'manageMarkPaid',
    'manageMessageRecipients',
    'managePartner',
    'managePartnerHistory',
    'managePartnerNotes',
    'managePayout',
    'managePayoutFile',
    'managePayoutRun',
    'managePayoutStatement',
    'manageReadStatusReport',
    'manageReject',
    'manageRemoveProcessorSecret',
    'manageReplayProcessorEvent',
    'manageRestore',
    'manageRevokePartnerInvitation',
    'manageSale',
    'manageSaleByTransactionId',
    'manageSendPayoutRun',
    'manageSettlePayoutRun',
    'manageStopBulkAction',
    'manageUpdateCoupon',
    'manageUpdateCreative',
    'manageUpdateGroup',
    'manageUpdateLink',
    'manageUpdatePartner',
    'manageVerifyDomain',
    'manageViewAsPartner',
  ]);
});

// Here and below, all requests are prepared first, for the same program, so that what is stored is compared once. That they are
// valid is what the tests of every route check.
describe('404 and nothing changed: a program of another workspace', () => {
  const requests = new Map<RouteDefinition, ValidRequest>();
  let strangers: TestAccount[];
  let stored: Record<string, unknown>;
  beforeAll(async () => {
    const theirs = await ownedProgram(service);
    for (const route of triedOfPrograms) requests.set(route, await validRequest(service, route, theirs));
    strangers = [
      await newOwner(service),
      await newAccount(service),
      (await ownedProgram(service)).owner,
      await partnerAccount(service, (await service.program()).partnerId),
    ];
    stored = await fingerprints(service);
  });

  afterAll(async () => expect(await fingerprints(service)).toEqual(stored));

  it.each(triedOfPrograms)('$method $path', async (route) => {
    const theirs = requests.get(route) as ValidRequest;
    for (const { token } of strangers) {
      const { status, body, headers } = await theirs.send({ key: token });
      expect({ status, body }).toEqual({ status: 404, body: NOT_FOUND });
      expect(headers['x-request-id']).toBeTruthy();
    }
  });
});

describe('404 and nothing changed: an id of another program inside one’s own program', () => {
  const ids = {
    partner_id: 'partnerId',
    group_id: 'groupId',
    link_id: 'linkId',
    domain_id: 'domainId',
    coupon_id: 'couponId',
    creative_id: 'creativeId',
    message_id: 'messageId',
    sale_id: 'saleId',
    transaction_id: 'transactionId',
    commission_id: 'commissionId',
    customer_key: 'customerKey',
    customer_id: 'customerId',
    payout_id: 'payoutId',
    run_id: 'runId',
    processor_event_id: 'eventId',
    processor_secret_id: 'secretId',
    bulk_action_id: 'bulkActionId',
  } as const;
  const paramOf = ({ path }: RouteDefinition) => INNER_ID.exec(path)?.[1] as keyof typeof ids;
  let theirs: Awaited<ReturnType<typeof otherWorkspace>>;
  let mine: OwnedProgram;
  beforeAll(async () => {
    theirs = await otherWorkspace();
    mine = await ownedProgram(service);
    await sold(service, mine);
  });

  describe('in the path', () => {
    const requests = new Map<RouteDefinition, ValidRequest>();
    let siblings: Awaited<ReturnType<typeof innerIds>>;
    let stored: Record<string, unknown>;
    beforeAll(async () => {
      for (const route of withInnerId) requests.set(route, await validRequest(service, route, mine));
      siblings = await innerIds(await service.program({ workspaceId: mine.workspaceId }));
      stored = await fingerprints(service);
    });

    afterAll(async () => expect(await fingerprints(service)).toEqual(stored));

    it.each(withInnerId)('$method $path', async (route) => {
      const { key, body: sent } = requests.get(route) as ValidRequest;
      const name = paramOf(route);
      for (const id of [theirs[ids[name]], siblings[ids[name]], 999_999_999, 'abc', '0', '1.5']) {
        const path = route.path.replace(':program_id', String(mine.program.id)).replace(`:${name}`, String(id));
        const { status, body } = await service.call(route.method, path, { key, body: sent });
        expect({ id, status, body }).toEqual({ id, status: 404, body: NOT_FOUND });
      }
    });
  });

  it('POST links, coupons and adjustments for a partner of another program, and assign a customer to them', async () => {
    const customerId = await customerIdOf(service, mine);
    const before = await fingerprints(service);
    const partner_id = theirs.partnerId;
    for (const [path, body] of [
      ['/links', {}],
      ['/coupons', { code: 'JANE20' }],
      ['/adjustments', { amount_cents: 1, currency: 'USD', reason: 'a' }],
      [`/customers/${customerId}/assign`, { reason: 'a' }],
    ] as const) {
      const sent = { key: mine.owner.token, body: { partner_id, ...body } };
      expect(await service.call('POST', manage(mine, path), sent)).toMatchObject({ status: 404, body: NOT_FOUND });
    }
    expect(await fingerprints(service)).toEqual(before);
  });

  it.each(['/links', '/coupons', '/customers', '/sales', '/commissions', '/balances', '/payouts', '/earnings'])(
    'GET %s filtered by a partner of another program lists nothing',
    async (list) => {
      const path = manage(mine, `${list}?partner_id=${theirs.partnerId}`);
      expect((await service.call('GET', path, { key: mine.owner.token })).body.data).toEqual([]);
    },
  );

  it('GET explain returns nothing about a transaction, a customer or a click of another program', async () => {
    const clickId = await service.customer(theirs, 'their-user');
    const { transactionId } = await sold(service, theirs);
    for (const query of [`transaction_id=${transactionId}`, 'customer_key=their-user', `click_id=${clickId}`]) {
      const { status, body } = await service.call('GET', manage(mine, `/explain?${query}`), { key: mine.owner.token });
      expect({ status, body }).toEqual({ status: 200, body: { data: [] } });
    }
  });

  it('a short_link of another workspace is taken: 409, and the link stays theirs', async () => {
    const before = await fingerprints(service);
    const body = { partner_id: mine.partnerId, short_link: theirs.link };
    const answer = await service.call('POST', manage(mine, '/links'), { key: mine.owner.token, body });
    const message = `short_link "${theirs.link}" is taken. Choose another.`;
    expect(answer).toMatchObject({ status: 409, body: platformError(409, 'ConflictError', message) });
    expect(await fingerprints(service)).toEqual(before);
  });

  it('the link that another program’s test chains use cannot be claimed before it is created', async () => {
    const body = { partner_id: mine.partnerId, short_link: `svc-test-${theirs.program.id}` };
    const answer = await service.call('POST', manage(mine, '/links'), { key: mine.owner.token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe('short_link must not begin with svc-test-');
    const chain = { key: theirs.apiKey, body: { type: 'chain' } };
    expect((await service.call('POST', '/api/v1/cli/test-event', chain)).body.data.attributed).toBe(true);
  });
});

describe('lists of the account', () => {
  it('GET programs and members show nothing from other workspaces', async () => {
    const [mine, theirs] = [await ownedProgram(service), await otherWorkspace()];
    const read = async (path: string) =>
      (await service.call('GET', `/api/v1/manage${path}`, { key: mine.owner.token })).text;
    expect(await read('/programs')).not.toContain(`"id":${theirs.program.id},`);
    expect(await read('/members')).not.toContain(theirs.owner.email);
    expect(await read('/me')).toContain(mine.owner.email);
  });
});
