import { BATCH_ROUTES, type BatchItemType, errorBody, errors, type ReplyOf, trackBatch } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseClickId } from '../../customers/click-id.ts';
import { listRelatedCustomers } from '../../leads/lead-lookup-store.ts';
import type { Metrics } from '../../metrics.ts';
import type { Program } from '../../programs/program.ts';
import { createTestTransactionIds } from '../../sales/record-test-sale.ts';
import { addRoute } from '../add-route.ts';
import { bodyOf } from '../body.ts';
import { programOfKey } from '../callers/program-of-key.ts';
import { noteFailure } from '../error-handler.ts';
import { addRotationWarnings, rotationDocsUrl } from '../key-rotation.ts';
import type { ServiceContext } from '../service-context.ts';
import { type Attempt, identifiersIn, parseAttempt } from './attempt.ts';
import { type OrderedItem, wavesOf } from './batch-waves.ts';
import { answerLead } from './lead.ts';
import { answerRefund } from './refund.ts';
import { type RefusedAttempt, recordRefusedAttempts } from './refused-attempt.ts';
import { answerSale } from './sale.ts';

/** How many items wait for their groups at a time: enough to fill the next group, few enough to leave room for others. */
const AT_A_TIME = 200;

type Result = ReplyOf<typeof trackBatch>['data']['results'][number];
type Outcome = Omit<Result, 'index'> & { refused?: RefusedAttempt };
type Item = Attempt & OrderedItem & { customerKey: string | null; customerId: number | null };

/** Serves the batch route. Its items take the same way as single requests, from the parsing of their fields on. */
export function addBatchRoute(app: FastifyInstance, ctx: ServiceContext, metrics: Metrics): void {
  const nextTestId = createTestTransactionIds(ctx.now);
  const docsUrl = rotationDocsUrl(ctx.baseUrl);

  addRoute(app, trackBatch, async (request) => {
    const { items } = bodyOf(trackBatch, request);
    const outcomes = await answerItems(
      await programOfKey(ctx, request),
      items.map((item) => itemOf(request, item)),
    );
    await recordRefusedAttempts(
      ctx,
      outcomes.flatMap(({ refused }) => refused ?? []),
    );
    const results = outcomes.map(({ status, body }, index) => {
      return { index, status, body: addRotationWarnings(body, request.rotatingKey, docsUrl) as Result['body'] };
    });
    return { data: { results }, success: true as const };
  });

  async function answerItems(program: Program, items: (Item | null)[]): Promise<Outcome[]> {
    const outcomes = items.map(unknownType);
    for (const wave of await orderItems(ctx, program, items)) {
      for (let start = 0; start < wave.length; start += AT_A_TIME) {
        const positions = wave.slice(start, start + AT_A_TIME);
        const answered = await Promise.all(positions.map((position) => answerItem(program, items[position] as Item)));
        for (const [index, position] of positions.entries()) outcomes[position] = answered[index] as Outcome;
      }
    }
    return outcomes;
  }

  async function answerItem(program: Program, item: Item): Promise<Outcome> {
    try {
      return { status: 200, body: await answers[item.type](program, item) };
    } catch (thrown) {
      const route = BATCH_ROUTES[item.type];
      const failed = { requestId: item.id, route, path: route.path };
      const error = noteFailure({ log: ctx.log, metrics }, thrown as Error, failed);
      return { status: error.status, body: errorBody(error), refused: { attempt: item, route, error } };
    }
  }

  // Nothing may wait between parsing an item and submitting it, so that the items of a wave keep their order.
  const answers: Record<BatchItemType, (program: Program, item: Item) => Promise<Result['body']>> = {
    lead: async (program, item) =>
      answerLead(ctx, { mode: 'server', program }, parseAttempt(BATCH_ROUTES.lead, item), item.id),
    sale: async (program, item) =>
      answerSale(ctx, program, parseAttempt(BATCH_ROUTES.sale, item), { requestId: item.id, nextTestId }),
    refund: async (program, item) => answerRefund(ctx, program, parseAttempt(BATCH_ROUTES.refund, item), item.id),
  };
}

/** Null for what is no lead, sale or refund. */
function itemOf({ id, credential }: FastifyRequest, body: unknown): Item | null {
  const type = (body as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(BATCH_ROUTES, type)) return null;
  const { transactionId, customerKey, clickId } = identifiersIn(body);
  const click = parseClickId(clickId ?? undefined);
  return {
    ...{ id, credential, body, isJudged: false },
    ...{ type: type as BatchItemType, customerKey, customerId: click?.customerId ?? null },
    decidesCustomer: type === 'sale' && 'coupon_code' in (body as object),
    names: [
      ...(customerKey ? [nameOf.key(customerKey)] : []),
      ...(click ? [nameOf.customer(click.customerId)] : []),
      ...(transactionId ? [nameOf.transaction(transactionId)] : []),
    ],
  };
}

const nameOf = {
  key: (customerKey: string) => `key ${customerKey}`,
  customer: (id: number) => `customer ${id}`,
  transaction: (transactionId: string) => `transaction ${transactionId}`,
};

/** The outcome of an item that is no lead, sale or refund. */
function unknownType(): Outcome {
  const error = errors.batchItemType();
  return { status: error.status, body: errorBody(error) };
}

/** The positions of the known items, in waves. */
async function orderItems(ctx: ServiceContext, program: Program, items: (Item | null)[]): Promise<number[][]> {
  const positions = items.flatMap((item, position) => (item ? [position] : []));
  const known = items.filter((item) => item !== null);
  // Only leads, and sales with a coupon, change who is known by which name.
  const types = new Set(known.map(({ type }) => type));
  const isChanged = (types.has('lead') && types.size > 1) || known.some(({ decidesCustomer }) => decidesCustomer);
  const alike = isChanged ? await findAlike(ctx, program, known) : [];
  return wavesOf(known, alike).map((wave) => wave.map((index) => positions[index] as number));
}

/** Items may name one customer by a click and by a key. Which of them belong together is in the store. */
async function findAlike(ctx: ServiceContext, program: Program, items: Item[]): Promise<string[][]> {
  const related = await listRelatedCustomers(ctx.db, program.id, {
    ids: items.flatMap(({ customerId }) => customerId ?? []),
    keys: items.flatMap(({ customerKey }) => customerKey ?? []),
  });
  return related.map(({ id, customerKey, claimedCustomerKey }) => [
    nameOf.customer(id),
    ...[customerKey, claimedCustomerKey].flatMap((key) => (key === null ? [] : [nameOf.key(key)])),
  ]);
}
