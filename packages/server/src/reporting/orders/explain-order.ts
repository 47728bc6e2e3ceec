import { hashEmail } from '../../customers/email.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import {
  answerAbout,
  CUSTOMER_OF_ANOTHER,
  NO_ORDER_YET,
  type OrderAnswer,
  UNKNOWN_CUSTOMER,
  UNKNOWN_ORDER,
} from './order-answer.ts';
import { findOrder, listOrders, listVisitors } from './order-store.ts';

/** What a partner asks about: an order by its id, or a customer by their e-mail address. */
export type OrderQuestion = { transactionId: string } | { email: string };

const MAX_VISITORS = 20;
const MAX_ORDERS = 20;

type AnswersContext = Pick<TrackingContext, 'db' | 'emailSecret'>;

/**
 * Explains to a partner where an order is. About orders and customers of others it says only that they are not theirs, and
 * about an address nothing at all unless the person clicked one of the partner's links.
 */
export async function explainOrder(
  ctx: AnswersContext,
  programId: number,
  partnerId: number,
  question: OrderQuestion,
): Promise<OrderAnswer[]> {
  if ('email' in question) return explainCustomer(ctx, programId, partnerId, question.email);
  const order = await findOrder(ctx.db, programId, question.transactionId);
  return [order ? answerAbout(order, partnerId) : UNKNOWN_ORDER];
}

async function explainCustomer(
  ctx: AnswersContext,
  programId: number,
  partnerId: number,
  email: string,
): Promise<OrderAnswer[]> {
  const emailHash = hashEmail(email, ctx.emailSecret);
  const visitors = await listVisitors(ctx.db, programId, { emailHash, partnerId }, MAX_VISITORS);
  const own = visitors.filter((visitor) => visitor.partnerId === partnerId);
  if (own.length === 0) return [visitors.length > 0 ? CUSTOMER_OF_ANOTHER : UNKNOWN_CUSTOMER];
  const customerIds = own.map(({ id }) => id);
  const orders = await listOrders(ctx.db, programId, { customerIds, partnerId }, MAX_ORDERS);
  return orders.length === 0 ? [NO_ORDER_YET] : orders.map((order) => answerAbout(order, partnerId));
}
