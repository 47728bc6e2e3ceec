import { verifyWebhook } from '@svc/node';
import { handle } from './handle.js';

const secret = process.env.SVC_WEBHOOK_SECRET ?? '';

export async function POST(request: Request): Promise<Response> {
  const event = await verifyWebhook(await request.text(), request.headers, secret).catch(() => null);
  if (!event) return new Response(null, { status: 400 });
  await handle(event); // yours; if it throws, the event is sent again
  return new Response(null, { status: 204 });
}
