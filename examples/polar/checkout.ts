import { currentUser } from './current-user.js';
// #region checkout
import { createCheckout } from './polar.js';
import { svcMetadata } from './svc-metadata.js';

// Next.js: app/checkout/route.ts. Remix: action({ request }). Hono: request is c.req.raw.
export async function POST(request: Request) {
  const user = await currentUser(request); // yours; null for a guest
  const metadata = svcMetadata(request.headers.get('cookie') ?? '', user?.id);
  return Response.redirect(await createCheckout(metadata), 303);
}
// #endregion
