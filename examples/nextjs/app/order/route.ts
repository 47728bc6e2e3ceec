import { completeOrder } from '../../shop';
// #region order
import { clickIdFrom, svc } from '@svc/node';

export async function POST(request: Request) {
  const order = await completeOrder(await request.json()); // yours: the order has been paid
  await svc.sale({
    transaction_id: String(order.id),
    customer_key: order.userId && String(order.userId), // the same id as at signup; guests have none
    click_id: clickIdFrom(request), // recognizes guests
    amount_cents: order.amountCents,
    currency: order.currency,
  });
  return Response.json({ id: order.id });
}
// #endregion
