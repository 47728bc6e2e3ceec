import { createUser } from '../../shop';
// #region signup
import { clickIdFrom, svc } from '@svc/node';

export async function POST(request: Request) {
  const user = await createUser(await request.json()); // yours
  await svc.lead({
    customer_key: String(user.id),
    click_id: clickIdFrom(request),
    email: user.email,
  });
  return Response.json({ id: user.id }, { status: 201 });
}
// #endregion
