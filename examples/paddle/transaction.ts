import { currentUser } from './current-user.js';
// #region server
import { paddle } from './paddle.js'; // your Paddle client
import { svcMetadata } from './svc-metadata.js';

// Next.js: app/transaction/route.ts. Remix: action({ request }). Hono: request is c.req.raw.
export async function POST(request: Request) {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.get('cookie') ?? '', user?.id);
  const transaction = await paddle.transactions.create({
    items: [{ priceId: 'pri_…', quantity: 1 }],
    customData: metadata,
  });
  return Response.json({ transactionId: transaction.id });
}
// #endregion
