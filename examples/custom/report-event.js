// report-event.js: signs an event as Standard Webhooks describes it, and sends it.
import { createHmac } from 'node:crypto';

/**
 * @param {string} id your id of the event. Reuse it when you send the event again: it counts once.
 * @param {object} event
 */
export async function reportEvent(id, event) {
  const key = Buffer.from((process.env.SVC_WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  const response = await fetch('https://track.example.com/api/v1/webhooks/custom/42', {
    method: 'POST',
    headers,
    body,
  });
  if (!response.ok) throw new Error(`The event was refused: ${await response.text()}`); // send it again later
}
